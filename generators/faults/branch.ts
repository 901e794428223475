import type { Formula } from "../formulas/formula.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";

/** A value that matches no branch of a choice, or more than one if only one may match. */
export const branch: Family = {
  name: "branch",
  keywords: ["anyOf", "oneOf"],
  *propose({ keyword, at, value, scope, solve, first }) {
    if (keyword.kind !== "anyOf" && keyword.kind !== "oneOf") return;
    const schemaFormula = (node: string, sign: boolean): Formula => ({ op: "schema", node, sign, scope });
    const makeProposal = (fault: string, detail: string | undefined, replacement: unknown, says: string): Proposal => ({
      fault,
      ...(detail === undefined ? {} : { detail }),
      site: keyword.site,
      at,
      change: replace(at, replacement as never),
      says: `is ${show(replacement as never)}, ${says}`,
    });
    const unmatched = solve(
      keyword.nodes.map((node) => schemaFormula(node, false)),
      value,
    );
    if (unmatched !== undefined) yield makeProposal("no-branch", undefined, unmatched, "which fits no branch");
    if (keyword.kind === "anyOf" || !first) return;
    for (const [firstIndex, firstNode] of keyword.nodes.entries()) {
      for (const [secondIndex, secondNode] of keyword.nodes.entries()) {
        if (secondIndex <= firstIndex) continue;
        const both = solve([schemaFormula(firstNode, true), schemaFormula(secondNode, true)], value);
        if (both !== undefined)
          yield makeProposal("two-branches", `${firstIndex}-and-${secondIndex}`, both, "which fits two branches");
      }
    }
  },
};
