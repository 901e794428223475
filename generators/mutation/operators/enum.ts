import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { unlistedText } from "../../faults/kin.ts";
import { looseComparisons } from "../../faults/loose-comparison.ts";
import type { KeywordOf, Model, Node } from "../../model/model.ts";
import { isFirstSchema } from "../first-schema.ts";
import { withKeyword } from "../keyword-change.ts";
import type { FoundMutant, Operator } from "../mutant.ts";
import { type AddedSchema, addAlternative, type ChangedSchema, loosenKeyword } from "../schema-edits.ts";

/** A list with one value too few or too many, or compared without regard to case or to the end of a line; a constant with another value. */
export const enumeration: Operator = {
  name: "enum",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "enum" && keyword.kind !== "const") continue;
      const values = valuesOf(keyword);
      const texts = values.filter((value): value is string => typeof value === "string");
      const list: ValueList = { node, model, raw, keyword, values, texts };
      yield* dropValues(list);
      yield* respellValues(list);
      for (const [says, extra] of substitutes(values, texts)) {
        const changed = addAlternative(node, raw, extra, model);
        if (changed !== undefined) yield { ...weakerMutant(list), fine: true, says, ...changed };
      }
      yield* mutateNormalization(node, keyword, model, raw);
      yield* readAsOtherTypes(list);
      const extra = unlistedText(values);
      if (texts.length > 0)
        yield {
          ...weakerMutant(list),
          says: `${JSON.stringify(extra)} is allowed too`,
          ...changeList(list, [...values, extra]),
        };
      if (keyword.kind === "const") yield changeConstant(list, keyword);
    }
  },
};

/** The values of an `enum` or a `const`, and their keyword. */
interface ValueList {
  node: Node;
  model: Model;
  raw: JsonObject;
  keyword: KeywordOf<"enum"> | KeywordOf<"const">;
  values: readonly Json[];
  texts: readonly string[];
}

function changeList({ node, keyword }: ValueList, values: Json[]): ReturnType<typeof withList> {
  return withList(node, keyword, values);
}

function weakerMutant({ keyword }: ValueList): { effect: "weaker"; site: string; keyword: string } {
  return { effect: "weaker", site: keyword.site, keyword: keyword.kind };
}

function* dropValues(list: ValueList): Iterable<FoundMutant> {
  const { keyword, values } = list;
  if (keyword.kind !== "enum" || values.length < 2) return;
  for (const [index, value] of values.entries())
    yield {
      effect: "stronger",
      site: `${keyword.site}/${index}`,
      entryOf: keyword.site,
      keyword: "enum",
      says: `${JSON.stringify(value)} is missing from the list`,
      ...changeList(
        list,
        values.filter((_, other) => other !== index),
      ),
    };
}

/** The values in another case, and with white space around them. */
function* respellValues(list: ValueList): Iterable<FoundMutant> {
  const { values, texts } = list;
  const cases = texts.flatMap((text) => [
    text.toUpperCase(),
    text.toLowerCase(),
    text.slice(0, 1).toUpperCase() + text.slice(1),
  ]);
  const others = cases.filter((text, index) => !values.includes(text) && cases.indexOf(text) === index);
  if (others.length > 0)
    yield { ...weakerMutant(list), says: "case does not matter", ...changeList(list, [...values, ...others]) };
  const padded = texts.flatMap((text) => [` ${text}`, `${text} `, `${text}\n`]);
  if (padded.length > 0)
    yield {
      ...weakerMutant(list),
      says: "white space around it does not matter",
      ...changeList(list, [...values, ...padded]),
    };
  if (texts.length > 0)
    yield {
      ...weakerMutant(list),
      fine: true,
      says: "a line feed may follow at the end",
      ...changeList(list, [...values, ...texts.map((text) => `${text}\n`)]),
    };
}

/** A number accepted as its text, and values that a loose comparison treats as equal. */
function* readAsOtherTypes(list: ValueList): Iterable<FoundMutant> {
  const { node, model, raw, keyword, texts } = list;
  const numbers = texts.filter((text) => numeral.test(text)).map(Number);
  const asNumbers = numbers.length === 0 ? undefined : addAlternative(node, raw, { enum: numbers }, model);
  if (asNumbers !== undefined)
    yield {
      ...weakerMutant(list),
      fine: true,
      soon: true,
      single: true,
      says: "a number is accepted as its text",
      ...asNumbers,
    };
  for (const [says, wrong] of findLooselyEqual(node, model, keyword)) {
    const changed = loosenKeyword(node, raw, keyword, { enum: wrong });
    if (changed !== undefined) yield { ...weakerMutant(list), fine: true, soon: true, says, ...changed };
  }
}

function changeConstant({ node }: ValueList, keyword: KeywordOf<"const">): FoundMutant {
  const other = anotherValue(keyword.value);
  return {
    effect: "other",
    site: keyword.site,
    keyword: "const",
    says: `the constant is ${JSON.stringify(other)}`,
    edits: [{ at: keyword.site, value: other }],
    nodes: [withKeyword(node, keyword, { ...keyword, value: other })],
  };
}

function anotherValue(value: Json): Json {
  if (typeof value === "string") return `${value}X`;
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : "other";
}

/** The results of conversions to one of the values: Unicode has several forms of a text, and `String` makes `kg` from `["kg"]`. */
function* mutateNormalization(
  node: Node,
  keyword: KeywordOf<"enum" | "const">,
  model: Model,
  raw: JsonObject,
): Generator<FoundMutant> {
  const values = valuesOf(keyword);
  const texts = values.filter((value): value is string => typeof value === "string");
  const distinctTexts = (all: readonly string[]): string[] =>
    [...new Set(all)].filter((text) => !values.includes(text));
  const composed = distinctTexts(
    texts.flatMap((text) => [text.normalize("NFD"), text.normalize("NFC"), text.replace("K", "\u212a")]),
  );
  const wide = distinctTexts(
    texts.map((text) => text.replace(/[!-~]/, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))),
  );
  const base = { effect: "weaker", fine: true, single: true, site: keyword.site, keyword: keyword.kind } as const;
  if (composed.length > 0)
    yield {
      ...base,
      says: "letters are the same however they are composed",
      ...withList(node, keyword, [...values, ...composed]),
    };
  if (wide.length > 0 && isFirstSchema(model, node, hasTexts))
    yield { ...base, says: "full-width letters are the same", ...withList(node, keyword, [...values, ...wide]) };
  const isTyped = (each: Node) => hasTexts(each) && each.keywords.some(({ kind }) => kind === "type");
  const lists = texts.map((text) => [text]).filter((list) => !values.some((value) => equal(value, list)));
  const listed =
    lists.length > 0 && isFirstSchema(model, node, isTyped)
      ? addAlternative(node, raw, { enum: lists }, model)
      : undefined;
  if (listed !== undefined) yield { ...base, says: "the text of a list is compared", ...listed };
}

function hasTexts({ keywords }: Node): boolean {
  return keywords.some(
    (keyword) =>
      (keyword.kind === "enum" || keyword.kind === "const") && valuesOf(keyword).some((one) => typeof one === "string"),
  );
}

/** The values that a list or a constant allows. */
export function valuesOf(keyword: KeywordOf<"enum" | "const">): readonly Json[] {
  return keyword.kind === "enum" ? keyword.values : [keyword.value];
}

/** The schema with another list in place of a list or a constant. */
export function withList(node: Node, keyword: KeywordOf<"enum" | "const">, values: Json[]): ChangedSchema {
  const site = `${node.location}/enum`;
  const changed = { kind: "enum" as const, site, values };
  return {
    edits:
      keyword.kind === "enum" ? [{ at: site, value: values }] : [{ at: keyword.site }, { at: site, value: values }],
    nodes: [withKeyword(node, keyword, changed)],
  };
}

/** Texts that a loose comparison, or a reader of YAML, reads as a number. `1.0` is one of them, although the number is usually written `1`. */
const numeral = /^-?\d{1,15}(\.\d{1,15})?$/;

/** The maximum number of values that are loosely equal to listed ones. */
const maxLoose = 20;

const ignoredParts: typeof looseComparisons = [
  [
    "further items of a list are ignored",
    (value) => (Array.isArray(value) ? [null, 0].map((more) => [...value, more]) : []),
  ],
  [
    "further members of an object are ignored",
    (value) => (isObject(value) ? [null, 0].map((more) => ({ ...value, unexpected_member: more })) : []),
  ],
];

/** Values that a loose comparison treats as equal to one of the values, and that are refused only because of the list. Scalars with a type are left out: the mutants of the type cover them. */
function* findLooselyEqual(
  node: Node,
  model: Model,
  keyword: KeywordOf<"enum" | "const">,
): Generator<[says: string, wrong: Json[]]> {
  const values = valuesOf(keyword);
  const isTyped = node.keywords.some(({ kind }) => kind === "type");
  const deep = values.filter((value) => typeof value === "object" || (typeof value === "number" && !isTyped));
  for (const [says, equals] of [...looseComparisons, ...ignoredParts]) {
    const wrong = deep
      .flatMap(equals)
      .filter((other) => !values.some((value) => equal(value, other)))
      .filter((other) => holdsAt(model, node.location, other, { without: keyword.site }))
      .slice(0, maxLoose);
    if (wrong.length > 0) yield [says, wrong];
  }
}

/** Substitutes for one of the values that a reader accepts if it ignores the type. */
function substitutes(values: readonly Json[], texts: readonly Json[]): [says: string, extra: AddedSchema][] {
  const found: [string, AddedSchema][] = [];
  if (texts.length === values.length) found.push(["a number is accepted in place of the text", { type: "number" }]);
  if (!values.includes(null)) found.push(["null is allowed too", { enum: [null] }]);
  // A reader that only checks the type confuses the two booleans; for a constant, the other boolean is a separate mistake.
  for (const flag of values.length > 1 ? [true, false] : [])
    if (values.includes(!flag) && !values.includes(flag)) found.push([`${flag} is allowed too`, { enum: [flag] }]);
  for (const [says, type] of [
    ["a number is parsed from a string", "number"],
    ["a boolean is parsed from a string", "boolean"],
  ] as const) {
    const written = values.filter((value) => typeof value === type).map(String);
    const other = written.filter((text) => !values.includes(text));
    if (other.length > 0) found.push([says, { enum: other }]);
  }
  return found;
}
