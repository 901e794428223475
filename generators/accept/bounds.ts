import { mostPublished } from "../faults/count.ts";
import { some } from "../faults/fault.ts";
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
    const at = (name: string, also: Demand["also"], says: string, detail?: string): Demand => ({
      name,
      also,
      says,
      tags: ["boundary"],
      ...(detail === undefined ? {} : { detail }),
    });
    const namesSize = (mask: number, part: "string" | "array" | "object") =>
      facet(mask, (shape) => {
        shape[part].min = Math.max(shape[part].min, limit);
        shape[part].max = Math.min(shape[part].max, limit);
      });
    switch (kind) {
      case "minimum":
        yield at("at-minimum", { op: "in", values: [limit] }, `is ${limit}, the minimum`);
        return;
      case "maximum":
        yield at("at-maximum", { op: "in", values: [limit] }, `is ${limit}, the maximum`);
        return;
      case "exclusiveMinimum":
        yield at("over-minimum", { op: "in", values: [limit + 1] }, `is ${limit + 1}, over ${limit}`);
        return;
      case "exclusiveMaximum":
        yield at("under-maximum", { op: "in", values: [limit - 1] }, `is ${limit - 1}, under ${limit}`);
        return;
      case "minLength":
        yield at("at-min-length", namesSize(kinds.string, "string"), `has ${some(limit, "character")}, the minimum`);
        // As many code points, though fewer characters that one sees.
        if (limit > 1 && limit <= 4096)
          yield at(
            "at-min-length",
            { op: "in", values: ["e\u0301".repeat(limit).slice(0, limit)] },
            `has ${limit} code points, accents among them`,
            "combining",
          );
        return;
      case "maxLength":
        if (limit > longestPublished) return;
        yield at("at-max-length", namesSize(kinds.string, "string"), `has ${some(limit, "character")}, the maximum`);
        // Twice as many UTF-16 units and four times as many bytes, yet no character more.
        if (limit <= 4096)
          yield at(
            "at-max-length",
            { op: "in", values: ["😀".repeat(limit)] },
            `has ${some(limit, "character")} of two UTF-16 units each`,
            "astral",
          );
        return;
      case "minItems":
      case "maxItems":
        if (limit <= mostPublished)
          yield at(
            kind === "minItems" ? "at-min-items" : "at-max-items",
            namesSize(kinds.array, "array"),
            `has ${some(limit, "item")}, the ${kind === "minItems" ? "minimum" : "maximum"}`,
          );
        return;
      case "minProperties":
      case "maxProperties":
        if (limit <= mostPublished)
          yield at(
            kind === "minProperties" ? "at-min-members" : "at-max-members",
            namesSize(kinds.object, "object"),
            `has ${some(limit, "member")}, the ${kind === "minProperties" ? "minimum" : "maximum"}`,
          );
    }
  },
};
