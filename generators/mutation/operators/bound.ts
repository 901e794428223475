import { addSteps } from "../../keywords/decimal.ts";
import type { Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** Mutants of a bound: off by one, or by one step of `multipleOf`, in either direction. */
export const boundOperator: Operator = {
  name: "bound-off-by-one",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (!("limit" in keyword) || keyword.kind === "multipleOf") continue;
      const isLowerBound = keyword.kind.startsWith("min") || keyword.kind === "exclusiveMinimum";
      const isCount = /Length|Items|Properties/.test(keyword.kind);
      const stepSize = isCount ? 1 : stepOf(node);
      const changedLimits = [-1, 1].map((step) => [keyword.limit + step, step] as const);
      if (stepSize !== 1)
        changedLimits.push(...[-1, 1].map((step) => [addSteps(keyword.limit, step, stepSize), step] as const));
      for (const [limit, step] of changedLimits) {
        if (limit < 0 && isCount) continue;
        yield {
          effect: isLowerBound === step < 0 ? "weaker" : "stronger",
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

function stepOf({ keywords }: Node): number {
  const keyword = keywords.find((candidate) => candidate.kind === "multipleOf");
  return keyword?.kind === "multipleOf" ? keyword.limit : 1;
}
