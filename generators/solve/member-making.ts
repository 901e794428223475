import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { formulaKey } from "./keys.ts";
import type { LearningSearch, Untried } from "./learning.ts";
import type { LearntFacts, SearchOutcome } from "./search.ts";

/** Makes each member only once, or finds that it is impossible. Untried questions are reported every time, because the first time may have been part of a trial. */
export function createMemberMaker(search: LearningSearch): NonNullable<LearntFacts["made"]> {
  const known = new Map<string, Untried & { result: SearchOutcome }>();
  const keysOf = (model: Model, formulas: readonly Formula[]) => formulas.map((formula) => formulaKey(model, formula));
  return (name, formulas, hint, depth) => {
    const keys = keysOf(search.model, formulas);
    const key = JSON.stringify([hint === undefined ? "" : name, depth, [...new Set(keys)].sort()]);
    let made = known.get(key);
    if (made === undefined) {
      made = search.apart(() => search.outcome(formulas, hint, depth));
      known.set(key, made);
    }
    const { result } = made;
    if ("found" in result) return result;
    search.returnUntried(made);
    // The same requirement may be expressed differently.
    const core = new Set(keysOf(search.model, result.core));
    return { core: formulas.filter((_, index) => core.has(keys[index] as string)) };
  };
}
