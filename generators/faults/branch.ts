import type { Formula } from "../formulas/formula.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";

/** A value that matches no branch of a choice, or more than one if only one may match. */
export const branch: Family = {
  name: "branch",
  keywords: ["anyOf", "oneOf"],
  *propose({ keyword, at, value, scope, solve, first }) {
    if (keyword.kind !== "anyOf" && keyword.kind !== "oneOf") return;
    const schema = (node: string, sign: boolean): Formula => ({ op: "schema", node, sign, scope });
    const propose = (fault: string, detail: string | undefined, other: unknown, says: string): Proposal => ({
      fault,
      ...(detail === undefined ? {} : { detail }),
      site: keyword.site,
      at,
      change: replace(at, other as never),
      says: `is ${show(other as never)}, ${says}`,
    });
    const none = solve(
      keyword.nodes.map((node) => schema(node, false)),
      value,
    );
    if (none !== undefined) yield propose("no-branch", undefined, none, "which fits no branch");
    if (keyword.kind === "anyOf" || !first) return;
    for (const [a, one] of keyword.nodes.entries()) {
      for (const [b, other] of keyword.nodes.entries()) {
        if (b <= a) continue;
        const both = solve([schema(one, true), schema(other, true)], value);
        if (both !== undefined) yield propose("two-branches", `${a}-and-${b}`, both, "which fits two branches");
      }
    }
  },
};
