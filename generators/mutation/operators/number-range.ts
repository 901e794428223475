import type { Operator } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

const wordRange = 2 ** 32;

/** Mutants of numbers: those beyond 32 bits, signed or unsigned, are refused or truncated, those below 0 are refused, and a bound is exclusive. */
export const numberRangeOperator: Operator = {
  name: "number-range",
  *mutate(node, _model, raw) {
    const type = node.keywords.find((keyword) => keyword.kind === "type");
    const isNumber =
      type?.kind === "type" && type.types.some((typeName) => typeName === "integer" || typeName === "number");
    if (!isNumber || node.keywords.some(({ kind }) => kind === "enum" || kind === "const")) return;
    const isBounded = node.keywords.some(({ kind }) => kind === "maximum" || kind === "exclusiveMaximum");
    if (!isBounded)
      yield {
        effect: "stronger",
        site: type.site,
        keyword: "type",
        says: "numbers beyond 32 bits are refused",
        ...strengthen(node, raw, { maximum: wordRange / 2 - 1 }),
      };
    if (!isBounded)
      yield {
        effect: "stronger",
        isFineGrained: true,
        site: type.site,
        keyword: "type",
        says: "numbers beyond 32 bits without a sign are refused",
        ...strengthen(node, raw, { maximum: wordRange - 1 }),
      };
    if (!node.keywords.some(({ kind }) => kind === "minimum" || kind === "exclusiveMinimum"))
      yield {
        effect: "stronger",
        isFineGrained: true,
        needsOneKill: true,
        site: type.site,
        keyword: "type",
        says: "numbers below 0 are refused",
        ...strengthen(node, raw, { minimum: 0 }),
      };
    for (const keyword of node.keywords) {
      if (keyword.kind !== "minimum" && keyword.kind !== "maximum") continue;
      const { kind, limit, site } = keyword;
      if (type.types.includes("number"))
        yield {
          effect: "stronger",
          site,
          keyword: kind,
          says: `the ${kind} itself is refused`,
          ...strengthen(node, raw, kind === "minimum" ? { exclusiveMinimum: limit } : { exclusiveMaximum: limit }),
        };
      if (kind !== "maximum" || limit >= wordRange / 2 || limit < 0) continue;
      const changed = loosenKeyword(node, raw, keyword, { minimum: wordRange, maximum: wordRange + limit });
      if (changed !== undefined)
        yield {
          effect: "weaker",
          site,
          keyword: kind,
          says: "only the lowest 32 bits of a number are checked",
          ...changed,
        };
    }
  },
};
