import { isObject, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import type { Operator } from "../mutant.ts";
import { type AddedSchema, addExistingAlternative, loosenKeyword } from "../schema-edits.ts";

/** Mutants of `type`: a value of another type is accepted, because a language or a converting reader treats it like a valid value. */
export const laxTypeOperator: Operator = {
  name: "lax-type",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find((candidate) => candidate.kind === "type");
    if (keyword?.kind !== "type") return;
    const enumOfConfused = (...pairs: [Json, Json][]): AddedSchema => ({
      enum: pairs
        .filter(([validValue]) => holdsAt(model, node.location, validValue))
        .map(([, confusedValue]) => confusedValue),
    });
    for (const [says, extra] of confuseTypes(node, keyword, enumOfConfused)) {
      if (extra.enum?.length === 0 || extra.pattern === "^(?:)$") continue;
      const changed = loosenKeyword(node, raw, keyword, extra);
      if (changed !== undefined) yield { effect: "weaker", site: keyword.site, keyword: "type", says, ...changed };
    }
    for (const [says, extra] of confuseSingleValues(keyword, enumOfConfused)) {
      if (extra.enum?.length === 0) continue;
      const changed = loosenKeyword(node, raw, keyword, extra);
      if (changed !== undefined)
        yield { effect: "weaker", isFineGrained: true, site: keyword.site, keyword: "type", says, ...changed };
    }
    const structure = keyword.types.find((type) => type === "object" || type === "array");
    if (structure !== undefined && !keyword.types.includes("boolean")) {
      const changed = loosenKeyword(node, raw, keyword, { enum: [true] });
      const says = `true is accepted as ${structure === "object" ? "an object" : "a list"}`;
      if (changed !== undefined)
        yield { effect: "weaker", ...oneKillMutant, site: keyword.site, keyword: "type", says, ...changed };
    }
    const pattern = node.keywords.find((candidate) => candidate.kind === "pattern");
    const isText = keyword.types.length === 1 && keyword.types[0] === "string";
    if (isText && pattern?.kind === "pattern") {
      // A regular expression in JavaScript converts a value by `String` before it tests it.
      const listSchema = {
        type: "array",
        items: { type: "string", pattern: pattern.source },
        minItems: 1,
        maxItems: 1,
      };
      const changed = loosenKeyword(node, raw, keyword, listSchema);
      const says = "the pattern is applied to the text of a list";
      if (changed !== undefined)
        yield { effect: "weaker", needsOneKill: true, site: keyword.site, keyword: "type", says, ...changed };
    }
    const items = node.keywords.find((candidate) => candidate.kind === "items");
    const isList = keyword.types.length === 1 && keyword.types[0] === "array";
    if (!isList || items?.kind !== "items" || !isObject(raw.items) || items.node !== `${node.location}/items`) return;
    const changed = addExistingAlternative(model, node, { raw, keyword, target: items.node, targetSchema: raw.items });
    const says = "a single value is accepted as a list";
    if (changed !== undefined) yield { effect: "weaker", site: keyword.site, keyword: "type", says, ...changed };
  },
};

function* confuseTypes(
  node: Node,
  { types }: KeywordOf<"type">,
  enumOfConfused: (...pairs: [Json, Json][]) => AddedSchema,
): Generator<[says: string, extra: AddedSchema]> {
  const includesAny = (...names: string[]) => names.some((name) => types.includes(name));
  if (includesAny("integer", "number") && !includesAny("boolean"))
    yield ["true is accepted as 1, and false as 0", enumOfConfused([1, true], [0, false])];
  if (includesAny("integer", "number") && !includesAny("string"))
    yield [
      "a number is parsed from a string",
      node.keywords.some(({ kind }) => narrowingKeywords.has(kind))
        ? enumOfConfused(...writtenNumbers.map((value): [Json, Json] => [value, String(value)]))
        : { type: "string", pattern: `^(?:${numerals(node)})$` },
    ];
  if (includesAny("string") && !includesAny("integer", "number"))
    yield ["a number is accepted as its text", enumOfConfused(...spelledNumbers)];
  if (includesAny("boolean") && !includesAny("integer", "number"))
    yield ["1 is accepted as true, and 0 as false", enumOfConfused([true, 1], [false, 0])];
  if (includesAny("boolean") && !includesAny("string"))
    yield ["a boolean is parsed from a string", enumOfConfused([true, "true"], [false, "false"])];
  if (includesAny("array") && !includesAny("object"))
    yield ["an empty object is accepted as an empty list", enumOfConfused([[], {}])];
  if (includesAny("object") && !includesAny("array"))
    yield ["an empty list is accepted as an empty object", enumOfConfused([{}, []])];
}

/** One kill is enough for a boolean accepted as an object or a list, because code with this mistake makes it everywhere. */
const oneKillMutant = { isFineGrained: true, isTriedEarly: true, needsOneKill: true } as const;

/** Confuses one value with another. */
function* confuseSingleValues(
  { types }: KeywordOf<"type">,
  enumOfConfused: (...pairs: [Json, Json][]) => AddedSchema,
): Generator<[says: string, extra: AddedSchema]> {
  const includesAny = (...names: string[]) => names.some((name) => types.includes(name));
  if (includesAny("integer", "number") && !includesAny("boolean")) {
    yield ["false is accepted as 0", enumOfConfused([0, false])];
    yield ["true is accepted as 1", enumOfConfused([1, true])];
  }
  if (includesAny("number") && !includesAny("string"))
    yield ["a number with two decimals is parsed from a string", enumOfConfused(...amounts)];
  if (!includesAny("string")) yield ["an empty string is accepted as an absent value", { enum: [""] }];
}

/** Numbers that a program may send as strings. Nearly every schema accepts some of them. */
const writtenNumbers = [0, 1, 2, 5, 10, 20, 60, 100, 1000, 3600, 0.5, 0.25, 12.5];

/** Strings of digits that a program may send as numbers. Nearly every schema accepts some of them. */
const spelledNumbers = [0, 1, 7, 10, 42, 100, 123, 1234, 12345, 123456, 12345678, 1.5].map((value): [Json, Json] => [
  String(value),
  value,
]);

/** Numbers written with two decimals, as amounts are. */
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

/** Makes a pattern for non-negative integers within the bounds: the bounds, and numbers with at least as many digits as the lower and fewer than the upper bound. */
function numerals({ keywords }: Node): string {
  const limitsOf = (kind: string) =>
    keywords.flatMap((keyword) => (keyword.kind === kind && "limit" in keyword ? [keyword.limit] : []));
  const leastAllowed = limitsOf("exclusiveMinimum").map((limit) => Math.floor(limit) + 1);
  const greatestAllowed = limitsOf("exclusiveMaximum").map((limit) => Math.ceil(limit) - 1);
  const lowest = Math.max(0, ...limitsOf("minimum").map(Math.ceil), ...leastAllowed);
  const highest = Math.min(999_999_999, ...limitsOf("maximum").map(Math.floor), ...greatestAllowed);
  if (lowest > highest) return "";
  const [shortest, longest] = [String(lowest).length, String(highest).length - 1];
  const from = lowest <= 1 ? 0 : shortest;
  const patternsBetween = longest > from ? [`[1-9][0-9]{${from},${longest - 1}}`] : [];
  return [...new Set([String(lowest), String(highest)]), ...patternsBetween].join("|");
}
