import { placesOf } from "../../keywords/decimal.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** Mutants of `multipleOf`: with twice or half the number, or with its last decimal place. */
export const stepOperator: Operator = {
  name: "other-step",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "multipleOf") continue;
      const [half, lastDecimal] = [keyword.limit / 2, Number(`1e-${placesOf(keyword.limit)}`)];
      const steps: [effect: "stronger" | "weaker", limit: number][] = [
        ["stronger", keyword.limit * 2],
        ["weaker", half],
      ];
      if (lastDecimal !== keyword.limit && lastDecimal !== half) steps.push(["weaker", lastDecimal]);
      for (const [effect, limit] of steps)
        yield {
          effect,
          isFineGrained: true,
          site: keyword.site,
          keyword: "multipleOf",
          says: `multipleOf is ${limit} instead of ${keyword.limit}`,
          edits: [{ at: keyword.site, value: limit }],
          nodes: [withKeyword(node, keyword, { ...keyword, limit })],
        };
    }
  },
};
