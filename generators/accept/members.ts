import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Acceptance } from "./acceptance.ts";

/** Each value of an `enum`, each type of a list of types, and common boundary values of a type. */
export const members: Acceptance = {
  name: "members",
  keywords: ["enum", "type"],
  *demand(keyword) {
    if (keyword.kind === "enum") {
      for (const value of keyword.values) {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        yield {
          name: "member",
          detail: text,
          constraint: { op: "in", values: [value] },
          says: `is ${JSON.stringify(value)}`,
        };
      }
    }
    if (keyword.kind !== "type") return;
    if (keyword.types.includes("boolean")) {
      for (const value of [true, false])
        yield {
          name: "boolean",
          detail: String(value),
          constraint: { op: "in", values: [value] },
          says: `is ${value}`,
        };
    }
    if (keyword.types.includes("string")) {
      yield {
        name: "telling-text",
        constraint: { op: "in", values: ['"\\/\b\f\n\r\t \u007f\u2028é漢😀</script>'] },
        says: "has characters that need escapes, and some beyond the basic plane",
      };
    }
    if (keyword.types.includes("integer") || keyword.types.includes("number")) {
      for (const value of [0, Number.MAX_SAFE_INTEGER])
        yield { name: "number", detail: String(value), constraint: { op: "in", values: [value] }, says: `is ${value}` };
    }
    if (keyword.types.includes("number"))
      yield {
        name: "number",
        detail: "fraction",
        constraint: { op: "kinds", kinds: kinds.fraction },
        says: "has a fraction",
      };
    if (keyword.types.length < 2) return;
    for (const type of keyword.types) {
      const mask = type === "number" ? kinds.integer | kinds.fraction : (kinds[type as keyof typeof kinds] ?? 0);
      yield { name: "type", detail: type, constraint: facet(mask, () => undefined), says: `is of type ${type}` };
    }
  },
};
