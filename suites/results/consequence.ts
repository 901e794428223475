import type { Result, Rule } from "../../schemas/index.ts";

/** Marks each breach that may only be the consequence of an earlier one, according to the rules, so that breaches with one cause are reported as one. Call the returned function with the results in order. `isIndependent` says that no earlier step can have caused the breach. */
export function attributeConsequences(rules: readonly Rule[]): (result: Result, isIndependent?: boolean) => Result {
  const causes = new Map(rules.map(({ id, follows = [] }) => [id, follows]));
  /** The violated rules, each with the rule that is its root cause. */
  const roots = new Map<string, string>();
  return (result, isIndependent = false) => {
    const { rule, outcome } = result;
    if (rule === undefined || (outcome !== "violates" && outcome !== "warns")) return result;
    if (isIndependent) {
      if (outcome === "violates") roots.set(rule, rule);
      return result;
    }
    const cause = roots.has(rule) ? undefined : causes.get(rule)?.find((candidate) => roots.has(candidate));
    const root = roots.get(rule) ?? (cause === undefined ? rule : (roots.get(cause) as string));
    if (outcome === "violates") roots.set(rule, root);
    return root === rule ? result : { ...result, follows: root };
  };
}
