import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { formulaKey } from "./keys.ts";
import type { LearningSearch, Untried } from "./learning.ts";
import type { LearntFacts, SearchOutcome } from "./search.ts";

/** Returns a function that makes each member only once. Each call reports what was left untried, because the first call may have been part of a separate search. */
export function createMemberMaker(search: LearningSearch): NonNullable<LearntFacts["makeMember"]> {
  const madeMembers = new Map<string, Untried & { result: SearchOutcome }>();
  const keysOf = (model: Model, formulas: readonly Formula[]) => formulas.map((formula) => formulaKey(model, formula));
  return (name, formulas, hint, depth) => {
    const keys = keysOf(search.model, formulas);
    const key = JSON.stringify([hint === undefined ? "" : name, depth, [...new Set(keys)].sort()]);
    let outcome = madeMembers.get(key);
    if (outcome === undefined) {
      outcome = search.runSeparately(() => search.outcome(formulas, hint, depth));
      madeMembers.set(key, outcome);
    }
    const { result } = outcome;
    if ("found" in result) return result;
    search.recordUntried(outcome);
    // The cached core may contain other formulas with the same keys.
    const core = new Set(keysOf(search.model, result.core));
    return { core: formulas.filter((_, index) => core.has(keys[index] as string)) };
  };
}
