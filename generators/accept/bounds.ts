import { maxPublished } from "../faults/count.ts";
import { countInWords } from "../faults/fault.ts";
import { longestPublished } from "../faults/length.ts";
import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Acceptance, Demand } from "./acceptance.ts";

/** Values exactly at a bound, counted as JSON Schema counts. */
export const bounds: Acceptance = {
  name: "bounds",
  keywords: [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
  ],
  *demand(keyword) {
    if (!("limit" in keyword)) return;
    const { kind, limit } = keyword;
    switch (kind) {
      case "minimum":
        yield atBound("at-minimum", { op: "in", values: [limit] }, `is ${limit}, the minimum`);
        return;
      case "maximum":
        yield atBound("at-maximum", { op: "in", values: [limit] }, `is ${limit}, the maximum`);
        return;
      case "exclusiveMinimum":
        yield atBound("over-minimum", { op: "in", values: [limit + 1] }, `is ${limit + 1}, over ${limit}`);
        return;
      case "exclusiveMaximum":
        yield atBound("under-maximum", { op: "in", values: [limit - 1] }, `is ${limit - 1}, under ${limit}`);
        return;
      case "minLength":
        yield* shortestTexts(limit);
        return;
      case "maxLength":
        yield* longestTexts(limit);
        return;
      case "minItems":
      case "maxItems":
        if (limit <= maxPublished)
          yield atBound(
            kind === "minItems" ? "at-min-items" : "at-max-items",
            ofSize(limit, "array"),
            `has ${countInWords(limit, "item")}, the ${kind === "minItems" ? "minimum" : "maximum"}`,
          );
        return;
      case "minProperties":
      case "maxProperties":
        if (limit <= maxPublished)
          yield atBound(
            kind === "minProperties" ? "at-min-members" : "at-max-members",
            ofSize(limit, "object"),
            `has ${countInWords(limit, "member")}, the ${kind === "minProperties" ? "minimum" : "maximum"}`,
          );
    }
  },
};

function atBound(name: string, constraint: Demand["constraint"], says: string, detail?: string): Demand {
  return { name, constraint, says, tags: ["boundary"], ...(detail === undefined ? {} : { detail }) };
}

/** Demands a string, array or object of exactly this size. */
function ofSize(limit: number, part: "string" | "array" | "object"): Demand["constraint"] {
  return facet(kinds[part], (shape) => {
    shape[part].min = Math.max(shape[part].min, limit);
    shape[part].max = Math.min(shape[part].max, limit);
  });
}

/** The maximum length of a string of unusual characters. Longer strings would only make the set larger. */
const longestVariant = 4096;

function* shortestTexts(limit: number): Iterable<Demand> {
  yield atBound("at-min-length", ofSize(limit, "string"), `has ${countInWords(limit, "character")}, the minimum`);
  // As many code points, but fewer visible characters.
  if (limit > 1 && limit <= longestVariant)
    yield atBound(
      "at-min-length",
      { op: "in", values: ["e\u0301".repeat(limit).slice(0, limit)] },
      `has ${limit} code points, accents among them`,
      "combining",
    );
}

function* longestTexts(limit: number): Iterable<Demand> {
  if (limit > longestPublished) return;
  yield atBound("at-max-length", ofSize(limit, "string"), `has ${countInWords(limit, "character")}, the maximum`);
  // Twice as many UTF-16 units and four times as many bytes, but not more characters.
  if (limit <= longestVariant)
    yield atBound(
      "at-max-length",
      { op: "in", values: ["😀".repeat(limit)] },
      `has ${countInWords(limit, "character")} of two UTF-16 units each`,
      "astral",
    );
}
