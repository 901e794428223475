import type { Formula } from "../formulas/formula.ts";
import type { ImpossibleMember } from "../solve/search.ts";

const keys = new WeakMap<Formula, string>();

/** Returns a key that is equal for equal formulas. All facets have the same key, because they occur only inside choices. */
export function keyOf(formula: Formula): string {
  let key = keys.get(formula);
  if (key === undefined) {
    key = formulaText(formula);
    keys.set(formula, key);
  }
  return key;
}

function formulaText(formula: Formula): string {
  switch (formula.op) {
    case "schema": {
      const { node, sign, scope, focus, into } = formula;
      const rest = [scope, focus, into].map((part) =>
        part === undefined || Object.keys(part).length === 0 ? "" : JSON.stringify(part),
      );
      return `${sign ? "+" : "-"}${node}${rest.join("")}`;
    }
    case "and":
    case "or":
      return `(${formula.op} ${formula.of.map(keyOf).join(" ")})`;
    case "in":
    case "out":
      return `(${formula.op} ${JSON.stringify(formula.values)})`;
    case "kinds":
      return `(kinds ${formula.kinds})`;
    case "facet":
      return "facet";
  }
}

/** A set that compares formulas by their keys, so that later searches recognize an impossible member. */
class FormulaSet extends Set<Formula> {
  readonly #keys = new Set<string>();

  override add(formula: Formula): this {
    // The constructor of Set calls this method before the fields exist.
    this.#keys?.add(keyOf(formula));
    return super.add(formula);
  }

  override has(formula: Formula): boolean {
    return this.#keys.has(keyOf(formula));
  }
}

/** Returns a member that cannot be made under these formulas. */
export function impossibleMember(name: string, formulas: readonly Formula[]): ImpossibleMember {
  const set = new FormulaSet();
  for (const formula of formulas) set.add(formula);
  return { name, formulas: set };
}
