import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { unlistedText } from "../../faults/kin.ts";
import { looseComparisons } from "../../faults/loose-comparison.ts";
import type { KeywordOf, Model, Node } from "../../model/model.ts";
import { isFirstSchema } from "../first-schema.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";
import { type AddedSchema, addAlternative, type ChangedSchema, loosenKeyword } from "../schema-edits.ts";

/** Mutants of `enum` and `const`: one value too few or too many, a comparison that ignores case or white space, or another constant. */
export const enumOperator: Operator = {
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
        if (changed !== undefined) yield { ...weakerMutant(list), isFineGrained: true, says, ...changed };
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

function* dropValues(list: ValueList): Iterable<UnnamedMutant> {
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
        values.filter((_, otherIndex) => otherIndex !== index),
      ),
    };
}

/** Accepts the values in another case, and with white space around them. */
function* respellValues(list: ValueList): Iterable<UnnamedMutant> {
  const { values, texts } = list;
  const recased = texts.flatMap((text) => [
    text.toUpperCase(),
    text.toLowerCase(),
    text.slice(0, 1).toUpperCase() + text.slice(1),
  ]);
  const newTexts = recased.filter((text, index) => !values.includes(text) && recased.indexOf(text) === index);
  if (newTexts.length > 0)
    yield { ...weakerMutant(list), says: "case does not matter", ...changeList(list, [...values, ...newTexts]) };
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
      isFineGrained: true,
      says: "a line feed may follow at the end",
      ...changeList(list, [...values, ...texts.map((text) => `${text}\n`)]),
    };
}

/** Accepts a number as its text, and values that a loose comparison treats as equal. */
function* readAsOtherTypes(list: ValueList): Iterable<UnnamedMutant> {
  const { node, model, raw, keyword, texts } = list;
  const numbers = texts.filter((text) => numeral.test(text)).map(Number);
  const asNumbers = numbers.length === 0 ? undefined : addAlternative(node, raw, { enum: numbers }, model);
  if (asNumbers !== undefined)
    yield {
      ...weakerMutant(list),
      isFineGrained: true,
      isTriedEarly: true,
      needsOneKill: true,
      says: "a number is accepted as its text",
      ...asNumbers,
    };
  for (const [says, looselyEqual] of findLooselyEqual(node, model, keyword)) {
    const changed = loosenKeyword(node, raw, keyword, { enum: looselyEqual });
    if (changed !== undefined)
      yield { ...weakerMutant(list), isFineGrained: true, isTriedEarly: true, says, ...changed };
  }
}

function changeConstant({ node }: ValueList, keyword: KeywordOf<"const">): UnnamedMutant {
  const otherValue = anotherValue(keyword.value);
  return {
    effect: "other",
    site: keyword.site,
    keyword: "const",
    says: `the constant is ${JSON.stringify(otherValue)}`,
    edits: [{ at: keyword.site, value: otherValue }],
    nodes: [withKeyword(node, keyword, { ...keyword, value: otherValue })],
  };
}

function anotherValue(value: Json): Json {
  if (typeof value === "string") return `${value}X`;
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : "other";
}

/** The distance from an ASCII character to its full-width form. */
const fullWidthOffset = 0xfee0;

/** Unicode normalization turns this sign into the letter K. */
const kelvinSign = "\u212a";

/** Accepts values that a conversion turns into a listed one: other Unicode forms of a string, and `["kg"]`, which `String` converts to `kg`. */
function* mutateNormalization(
  node: Node,
  keyword: KeywordOf<"enum" | "const">,
  model: Model,
  raw: JsonObject,
): Generator<UnnamedMutant> {
  const values = valuesOf(keyword);
  const texts = values.filter((value): value is string => typeof value === "string");
  const newTextsOf = (candidates: readonly string[]): string[] =>
    [...new Set(candidates)].filter((text) => !values.includes(text));
  const recomposed = newTextsOf(
    texts.flatMap((text) => [text.normalize("NFD"), text.normalize("NFC"), text.replace("K", kelvinSign)]),
  );
  const fullWidth = newTextsOf(
    texts.map((text) => text.replace(/[!-~]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + fullWidthOffset))),
  );
  const base = {
    effect: "weaker",
    isFineGrained: true,
    needsOneKill: true,
    site: keyword.site,
    keyword: keyword.kind,
  } as const;
  if (recomposed.length > 0)
    yield {
      ...base,
      says: "letters are the same however they are composed",
      ...withList(node, keyword, [...values, ...recomposed]),
    };
  if (fullWidth.length > 0 && isFirstSchema(model, node, hasTexts))
    yield { ...base, says: "full-width letters are the same", ...withList(node, keyword, [...values, ...fullWidth]) };
  const isTypedList = (candidate: Node) =>
    hasTexts(candidate) && candidate.keywords.some(({ kind }) => kind === "type");
  const lists = texts.map((text) => [text]).filter((list) => !values.some((value) => equal(value, list)));
  const acceptsLists =
    lists.length > 0 && isFirstSchema(model, node, isTypedList)
      ? addAlternative(node, raw, { enum: lists }, model)
      : undefined;
  if (acceptsLists !== undefined) yield { ...base, says: "the text of a list is compared", ...acceptsLists };
}

function hasTexts({ keywords }: Node): boolean {
  return keywords.some(
    (keyword) =>
      (keyword.kind === "enum" || keyword.kind === "const") &&
      valuesOf(keyword).some((value) => typeof value === "string"),
  );
}

/** Lists the values that a list or a constant allows. */
export function valuesOf(keyword: KeywordOf<"enum" | "const">): readonly Json[] {
  return keyword.kind === "enum" ? keyword.values : [keyword.value];
}

/** Returns the schema with another list of values in place of its `enum` or `const`. */
export function withList(node: Node, keyword: KeywordOf<"enum" | "const">, values: Json[]): ChangedSchema {
  const site = `${node.location}/enum`;
  const newKeyword = { kind: "enum" as const, site, values };
  return {
    edits:
      keyword.kind === "enum" ? [{ at: site, value: values }] : [{ at: keyword.site }, { at: site, value: values }],
    nodes: [withKeyword(node, keyword, newKeyword)],
  };
}

/** Strings that a loose comparison, or a reader of YAML, reads as a number. `1.0` is one of them, although the number is usually written `1`. */
const numeral = /^-?\d{1,15}(\.\d{1,15})?$/;

/** The maximum number of values that are loosely equal to listed ones. */
const maxLoose = 20;

const ignoredParts: typeof looseComparisons = [
  [
    "further items of a list are ignored",
    (value) => (Array.isArray(value) ? [null, 0].map((extraItem) => [...value, extraItem]) : []),
  ],
  [
    "further members of an object are ignored",
    (value) => (isObject(value) ? [null, 0].map((extraValue) => ({ ...value, unexpected_member: extraValue })) : []),
  ],
];

/** Finds values that a loose comparison treats as equal to a listed one, and that only the list refuses. Skips typed scalars, because the mutants of `type` cover them. */
function* findLooselyEqual(
  node: Node,
  model: Model,
  keyword: KeywordOf<"enum" | "const">,
): Generator<[says: string, wrong: Json[]]> {
  const values = valuesOf(keyword);
  const isTyped = node.keywords.some(({ kind }) => kind === "type");
  const comparable = values.filter((value) => typeof value === "object" || (typeof value === "number" && !isTyped));
  for (const [says, equals] of [...looseComparisons, ...ignoredParts]) {
    const looselyEqual = comparable
      .flatMap(equals)
      .filter((candidate) => !values.some((value) => equal(value, candidate)))
      .filter((candidate) => holdsAt(model, node.location, candidate, { without: keyword.site }))
      .slice(0, maxLoose);
    if (looselyEqual.length > 0) yield [says, looselyEqual];
  }
}

/** Lists values that a reader accepts in place of a listed one if it ignores the type. */
function substitutes(values: readonly Json[], texts: readonly Json[]): [says: string, extra: AddedSchema][] {
  const substitutesFound: [string, AddedSchema][] = [];
  if (texts.length === values.length)
    substitutesFound.push(["a number is accepted in place of the text", { type: "number" }]);
  if (!values.includes(null)) substitutesFound.push(["null is allowed too", { enum: [null] }]);
  // A reader that only checks the type accepts both booleans. For a constant, that mistake is a separate mutant.
  for (const flag of values.length > 1 ? [true, false] : [])
    if (values.includes(!flag) && !values.includes(flag))
      substitutesFound.push([`${flag} is allowed too`, { enum: [flag] }]);
  for (const [says, type] of [
    ["a number is parsed from a string", "number"],
    ["a boolean is parsed from a string", "boolean"],
  ] as const) {
    const spelledValues = values.filter((value) => typeof value === type).map(String);
    const newTexts = spelledValues.filter((text) => !values.includes(text));
    if (newTexts.length > 0) substitutesFound.push([says, { enum: newTexts }]);
  }
  return substitutesFound;
}
