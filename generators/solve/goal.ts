import type { Formula } from "../formulas/formula.ts";
import { scopeKey } from "../model/model.ts";

/** The requirements on one value, as keys of formulas. Formulas that cannot be compared have their own keys. */
export type Goal = ReadonlySet<string>;

/** Returns the goal of some formulas. Undefined if one of them has a focus, because no other goal is equal then. */
export function goalOf(formulas: readonly Formula[]): Goal | undefined {
  const keys = formulas.map(keyOf);
  return keys.includes(undefined) ? undefined : new Set(keys as string[]);
}

/** Whether every value that fulfils the first goal fulfils the other. */
export function implies(goal: Goal, other: Goal): boolean {
  for (const key of other) if (!goal.has(key)) return false;
  return true;
}

const keysOfFormulas = new WeakMap<Formula, string>();
// The count is global, so that two formulas never share a key.
let count = 0;

function keyOf(formula: Formula): string | undefined {
  switch (formula.op) {
    case "schema":
      if (formula.focus !== undefined || formula.into !== undefined) return undefined;
      return `${formula.sign ? "" : "not "}${formula.node} ${scopeKey(formula.scope)}`;
    case "and":
    case "or": {
      const keys = formula.of.map(keyOf);
      return keys.includes(undefined) ? undefined : `${formula.op}(${keys.join(",")})`;
    }
    case "kinds":
      return `kinds ${formula.kinds}`;
    default: {
      let key = keysOfFormulas.get(formula);
      if (key === undefined) {
        count += 1;
        key = `#${count}`;
        keysOfFormulas.set(formula, key);
      }
      return key;
    }
  }
}
