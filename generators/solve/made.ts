import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { formulaKey } from "./keys.ts";
import type { LearningSearch } from "./learning.ts";
import type { Learnt, Outcome } from "./search.ts";

/** Makes members, or finds that they cannot be, and each but once. */
export function makingOnce(search: LearningSearch): NonNullable<Learnt["made"]> {
  const known = new Map<string, Outcome>();
  const keysOf = (model: Model, formulas: readonly Formula[]) => formulas.map((each) => formulaKey(model, each));
  return (name, formulas, hint, depth) => {
    const keys = keysOf(search.model, formulas);
    const key = JSON.stringify([hint === undefined ? "" : name, depth, [...new Set(keys)].sort()]);
    const before = known.get(key);
    if (before === undefined) {
      const outcome = search.outcome(formulas, hint, depth);
      known.set(key, outcome);
      return outcome;
    }
    if ("found" in before) return before;
    // The same may be asked for in other words.
    const core = new Set(keysOf(search.model, before.core));
    return { core: formulas.filter((_, index) => core.has(keys[index] as string)) };
  };
}
