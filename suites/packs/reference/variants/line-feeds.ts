import type { JsonObject } from "../../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

/** As in Python and Perl, where `$` also matches before a final line feed. */
export const lineFeeds: Variant = {
  name: "line-feeds",
  description: "accepts a line feed after the end of a pattern",
  lacks: "patterns",
  touches: ({ pattern }) => typeof pattern === "string" && ends.test(pattern),
  rewrite(schema: JsonObject) {
    const { pattern } = schema;
    return typeof pattern === "string" ? { ...schema, pattern: pattern.replace(ends, "\\n?$") } : schema;
  },
};

const ends = /(?<!\\)\$$/;
