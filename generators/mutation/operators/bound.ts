import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A bound that is off by one, either way. */
export const bound: Operator = {
  name: "bound-off-by-one",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (!("limit" in keyword) || keyword.kind === "multipleOf") continue;
      const lower = keyword.kind.startsWith("min") || keyword.kind === "exclusiveMinimum";
      for (const step of [-1, 1]) {
        const limit = keyword.limit + step;
        if (limit < 0 && /Length|Items|Properties/.test(keyword.kind)) continue;
        yield {
          effect: lower === step < 0 ? "weaker" : "stronger",
          site: keyword.site,
          keyword: keyword.kind,
          says: `${keyword.kind} is ${limit} instead of ${keyword.limit}`,
          edits: [{ at: keyword.site, value: limit }],
          nodes: [withKeyword(node, keyword, { ...keyword, limit })],
        };
      }
    }
  },
};
