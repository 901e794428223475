import type { Result, Rule } from "../../schemas/index.ts";

/**
 * Marks results whose breach may only follow from one that was seen before, as the rules say: what one cause breaks is then reported as one.
 * The function returned is to be called with the results in the order in which they come; `isIndependent` says that nothing was done by which another
 * breach could have brought this one about.
 */
export function consequences(rules: readonly Rule[]): (result: Result, isIndependent?: boolean) => Result {
  const causes = new Map(rules.map(({ id, follows = [] }) => [id, follows]));
  /** What was violated, each with the rule at which its own causes begin. */
  const roots = new Map<string, string>();
  return (result, isIndependent = false) => {
    const { rule, outcome } = result;
    if (rule === undefined || (outcome !== "violates" && outcome !== "warns")) return result;
    if (isIndependent) {
      if (outcome === "violates") roots.set(rule, rule);
      return result;
    }
    const cause = roots.has(rule) ? undefined : causes.get(rule)?.find((each) => roots.has(each));
    const root = roots.get(rule) ?? (cause === undefined ? rule : (roots.get(cause) as string));
    if (outcome === "violates") roots.set(rule, root);
    return root === rule ? result : { ...result, follows: root };
  };
}
