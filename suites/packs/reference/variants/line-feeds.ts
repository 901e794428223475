import type { JsonObject } from "../../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

/** Behaves like Python and Perl, where `$` also matches before a final line feed. */
export const lineFeeds: Variant = {
  name: "line-feeds",
  description: "accepts a line feed after the end of a pattern",
  missingEnforcer: "patterns",
  affects: ({ pattern }) => typeof pattern === "string" && finalDollar.test(pattern),
  rewrite(schema: JsonObject) {
    const { pattern } = schema;
    return typeof pattern === "string" ? { ...schema, pattern: pattern.replace(finalDollar, "\\n?$") } : schema;
  },
};

const finalDollar = /(?<!\\)\$$/;
