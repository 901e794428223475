import { type Formula, facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { countSites } from "../keywords/contains.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";

/** Keywords that only the solver can break: item counts of `contains`, and positions that must stay empty. */
export const otherValueFamily: Family = {
  name: "other",
  keywords: ["contains", "unevaluatedItems", "items"],
  *propose({ keyword, at, value, solve, scope, model }) {
    if (!Array.isArray(value)) return;
    if (keyword.kind === "contains") {
      const formula: Formula = { op: "schema", node: keyword.node, sign: true, scope };
      const solveCount = (min: number, max: number) =>
        solve([facet(kinds.array, ({ array }) => array.contains.push({ formula, min, max }))], value);
      const few = keyword.min > 0 ? solveCount(0, keyword.min - 1) : undefined;
      if (few !== undefined)
        yield {
          fault: "contains-too-few",
          site: countSites(keyword).few,
          at,
          change: replace(at, few),
          says: `is ${show(few)}, with too few of the items it must contain`,
        } satisfies Proposal;
      const many = Number.isFinite(keyword.max) ? solveCount(keyword.max + 1, Number.POSITIVE_INFINITY) : undefined;
      if (many !== undefined)
        yield {
          fault: "contains-too-many",
          site: countSites(keyword).many,
          at,
          change: replace(at, many),
          says: `is ${show(many)}, with more such items than it may contain`,
        } satisfies Proposal;
      return;
    }
    if (
      (keyword.kind === "unevaluatedItems" || keyword.kind === "items") &&
      model.nodes.get(keyword.node)?.always === false
    ) {
      yield {
        fault: "unexpected-item",
        site: keyword.site,
        at: `${at}/${value.length}`,
        change: [{ op: "add", path: `${at}/-`, value: "anything" }],
        says: "is beyond the items that are allowed",
      } satisfies Proposal;
    }
  },
};
