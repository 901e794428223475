import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** Multiples of twice the number, or of half of it. */
export const step: Operator = {
  name: "other-step",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "multipleOf") continue;
      for (const [effect, limit] of [
        ["stronger", keyword.limit * 2],
        ["weaker", keyword.limit / 2],
      ] as const)
        yield {
          ...{ effect, fine: true, site: keyword.site, keyword: "multipleOf" },
          says: `multipleOf is ${limit} instead of ${keyword.limit}`,
          edits: [{ at: keyword.site, value: limit }],
          nodes: [withKeyword(node, keyword, { ...keyword, limit })],
        };
    }
  },
};
