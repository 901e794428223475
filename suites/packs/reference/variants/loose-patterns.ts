import type { Variant } from "./variant.ts";

export const loosePatterns: Variant = {
  name: "loose-patterns",
  description: "finds a `pattern` anywhere in the string: its leading ^ and trailing $ are dropped",
  lacks: "patterns",
  touches: ({ pattern }) => typeof pattern === "string" && loose(pattern) !== pattern,
  rewrite: (schema) => (typeof schema.pattern === "string" ? { ...schema, pattern: loose(schema.pattern) } : schema),
};

function loose(pattern: string): string {
  return pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
}
