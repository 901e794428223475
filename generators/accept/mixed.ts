import { ofArrays } from "../formulas/facets.ts";
import type { Formula } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import type { Acceptance } from "./acceptance.ts";

/** A list with two first items that match different branches of a choice. An implementation that expects items of a single kind refuses it. */
export const mixedTypesAcceptance: Acceptance = {
  name: "mixed",
  keywords: ["items"],
  *demand(keyword, model) {
    if (keyword.kind !== "items") return;
    const { from, node } = keyword;
    const [first, second] = branchesAt(model, node);
    if (first === undefined || second === undefined) return;
    const schemaFormula = (branch: Location, sign: boolean): Formula => ({
      op: "schema",
      node: branch,
      sign,
      scope: {},
    });
    const matchOnly = (branch: Location, excluded: Location): Formula => ({
      op: "and",
      of: [schemaFormula(branch, true), schemaFormula(excluded, false)],
    });
    const twoItems = ofArrays((array) => {
      array.min = Math.max(array.min, from + 2);
      array.each.push(
        { from, to: from + 1, formula: matchOnly(first, second) },
        { from: from + 1, to: from + 2, formula: matchOnly(second, first) },
      );
    });
    yield {
      name: "mixed",
      constraint: { op: "and", of: [{ op: "kinds", kinds: kinds.array }, twoItems] },
      says: "has items of different branches",
    };
  },
};

/** Lists the branches of the first choice in a schema, or in a schema that it refers to. */
function branchesAt(model: Model, location: Location, seen: ReadonlySet<Location> = new Set()): readonly Location[] {
  if (seen.has(location)) return [];
  for (const keyword of nodeAt(model, location).keywords) {
    if (keyword.kind === "oneOf" || keyword.kind === "anyOf") return keyword.nodes;
    const branches = keyword.kind === "ref" ? branchesAt(model, keyword.node, new Set([...seen, location])) : [];
    if (branches.length > 0) return branches;
  }
  return [];
}
