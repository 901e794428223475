import type { Variant } from "./variant.ts";

export const loosePatterns: Variant = {
  name: "loose-patterns",
  description: "finds a `pattern` anywhere in the string: its leading ^ and trailing $ are dropped",
  missingEnforcer: "patterns",
  affects: ({ pattern }) => typeof pattern === "string" && withoutAnchors(pattern) !== pattern,
  rewrite: (schema) =>
    typeof schema.pattern === "string" ? { ...schema, pattern: withoutAnchors(schema.pattern) } : schema,
};

function withoutAnchors(pattern: string): string {
  return pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
}
