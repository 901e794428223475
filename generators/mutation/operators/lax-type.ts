import { isObject, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import type { Operator } from "../mutant.ts";
import { type AddedSchema, addExistingAlternative, loosenKeyword } from "../schema-edits.ts";

/** A value of another type that a language, or a converting reader, accepts as the right one, if that one would be valid. */
export const laxType: Operator = {
  name: "lax-type",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find((each) => each.kind === "type");
    if (keyword?.kind !== "type") return;
    const valid = (...pairs: [Json, Json][]): AddedSchema => ({
      enum: pairs.filter(([meant]) => holdsAt(model, node.location, meant)).map(([, given]) => given),
    });
    for (const [says, extra] of confuseTypes(node, keyword, valid)) {
      if (extra.enum?.length === 0 || extra.pattern === "^(?:)$") continue;
      const changed = loosenKeyword(node, raw, keyword, extra);
      if (changed !== undefined) yield { effect: "weaker", site: keyword.site, keyword: "type", says, ...changed };
    }
    for (const [says, extra] of confuseSingleValues(keyword, valid)) {
      if (extra.enum?.length === 0) continue;
      const changed = loosenKeyword(node, raw, keyword, extra);
      if (changed !== undefined)
        yield { effect: "weaker", fine: true, site: keyword.site, keyword: "type", says, ...changed };
    }
    const structure = keyword.types.find((type) => type === "object" || type === "array");
    if (structure !== undefined && !keyword.types.includes("boolean")) {
      const changed = loosenKeyword(node, raw, keyword, { enum: [true] });
      const says = `true is accepted as ${structure === "object" ? "an object" : "a list"}`;
      if (changed !== undefined)
        yield { effect: "weaker", ...singleMutant, site: keyword.site, keyword: "type", says, ...changed };
    }
    const pattern = node.keywords.find((each) => each.kind === "pattern");
    const isText = keyword.types.length === 1 && keyword.types[0] === "string";
    if (isText && pattern?.kind === "pattern") {
      // A JavaScript expression tests the result of `String` for the value.
      const listed = { type: "array", items: { type: "string", pattern: pattern.source }, minItems: 1, maxItems: 1 };
      const changed = loosenKeyword(node, raw, keyword, listed);
      const says = "the pattern is applied to the text of a list";
      if (changed !== undefined)
        yield { effect: "weaker", single: true, site: keyword.site, keyword: "type", says, ...changed };
    }
    const items = node.keywords.find((each) => each.kind === "items");
    const isList = keyword.types.length === 1 && keyword.types[0] === "array";
    if (!isList || items?.kind !== "items" || !isObject(raw.items) || items.node !== `${node.location}/items`) return;
    const changed = addExistingAlternative(model, node, { raw, keyword, there: items.node, written: raw.items });
    const says = "a single value is accepted as a list";
    if (changed !== undefined) yield { effect: "weaker", site: keyword.site, keyword: "type", says, ...changed };
  },
};

function* confuseTypes(
  node: Node,
  { types }: KeywordOf<"type">,
  valid: (...pairs: [Json, Json][]) => AddedSchema,
): Generator<[says: string, extra: AddedSchema]> {
  const has = (...names: string[]) => names.some((name) => types.includes(name));
  if (has("integer", "number") && !has("boolean"))
    yield ["true is accepted as 1, and false as 0", valid([1, true], [0, false])];
  if (has("integer", "number") && !has("string"))
    yield [
      "a number is parsed from a string",
      node.keywords.some(({ kind }) => narrowingKeywords.has(kind))
        ? valid(...writtenNumbers.map((value): [Json, Json] => [value, String(value)]))
        : { type: "string", pattern: `^(?:${numerals(node)})$` },
    ];
  if (has("string") && !has("integer", "number")) yield ["a number is accepted as its text", valid(...spelledNumbers)];
  if (has("boolean") && !has("integer", "number"))
    yield ["1 is accepted as true, and 0 as false", valid([true, 1], [false, 0])];
  if (has("boolean") && !has("string"))
    yield ["a boolean is parsed from a string", valid([true, "true"], [false, "false"])];
  if (has("array") && !has("object")) yield ["an empty object is accepted as an empty list", valid([[], {}])];
  if (has("object") && !has("array")) yield ["an empty list is accepted as an empty object", valid([{}, []])];
}

/** Members of mutants that one vector kills, in their own document: a boolean that is confused with a structure is confused everywhere. */
const singleMutant = { fine: true, soon: true, single: true } as const;

/** Only one value is confused with another. */
function* confuseSingleValues(
  { types }: KeywordOf<"type">,
  valid: (...pairs: [Json, Json][]) => AddedSchema,
): Generator<[says: string, extra: AddedSchema]> {
  const has = (...names: string[]) => names.some((name) => types.includes(name));
  if (has("integer", "number") && !has("boolean")) {
    yield ["false is accepted as 0", valid([0, false])];
    yield ["true is accepted as 1", valid([1, true])];
  }
  if (has("number") && !has("string")) yield ["a number with two decimals is parsed from a string", valid(...amounts)];
  if (!has("string")) yield ["an empty string is accepted as an absent value", { enum: [""] }];
}

/** Numbers to write as texts: some of them are valid nearly everywhere. */
const writtenNumbers = [0, 1, 2, 5, 10, 20, 60, 100, 1000, 3600, 0.5, 0.25, 12.5];

/** Texts of digits to write as numbers: some of them are valid nearly everywhere. */
const spelledNumbers = [0, 1, 7, 10, 42, 100, 123, 1234, 12345, 123456, 12345678, 1.5].map((value): [Json, Json] => [
  String(value),
  value,
]);

/** The numbers with two decimals, as amounts are written. */
const amounts: [Json, Json][] = writtenNumbers.map((value) => [value, value.toFixed(2)]);

/** With these keywords, bounds alone do not decide which numbers are valid. */
const narrowingKeywords: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "multipleOf",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
]);

/** A pattern for the non-negative integers within the bounds: the bounds themselves, and numbers with more digits than the lower bound and fewer than the upper one. */
function numerals({ keywords }: Node): string {
  const limit = (kind: string) =>
    keywords.flatMap((keyword) => (keyword.kind === kind && "limit" in keyword ? [keyword.limit] : []));
  const above = limit("exclusiveMinimum").map((each) => Math.floor(each) + 1);
  const below = limit("exclusiveMaximum").map((each) => Math.ceil(each) - 1);
  const lowest = Math.max(0, ...limit("minimum").map(Math.ceil), ...above);
  const highest = Math.min(999_999_999, ...limit("maximum").map(Math.floor), ...below);
  if (lowest > highest) return "";
  const [shortest, longest] = [String(lowest).length, String(highest).length - 1];
  const from = lowest <= 1 ? 0 : shortest;
  const between = longest > from ? [`[1-9][0-9]{${from},${longest - 1}}`] : [];
  return [...new Set([String(lowest), String(highest)]), ...between].join("|");
}
