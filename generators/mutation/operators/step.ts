import { placesOf } from "../../keywords/decimal.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** Multiples of twice the number or of half of it, or all numbers with as many decimal places. */
export const step: Operator = {
  name: "other-step",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "multipleOf") continue;
      const [half, digit] = [keyword.limit / 2, Number(`1e-${placesOf(keyword.limit)}`)];
      const steps: [effect: "stronger" | "weaker", limit: number][] = [
        ["stronger", keyword.limit * 2],
        ["weaker", half],
      ];
      if (digit !== keyword.limit && digit !== half) steps.push(["weaker", digit]);
      for (const [effect, limit] of steps)
        yield {
          effect,
          fine: true,
          site: keyword.site,
          keyword: "multipleOf",
          says: `multipleOf is ${limit} instead of ${keyword.limit}`,
          edits: [{ at: keyword.site, value: limit }],
          nodes: [withKeyword(node, keyword, { ...keyword, limit })],
        };
    }
  },
};
