import { isObject, type Json, pointer } from "../../schemas/index.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { FaultContext } from "../faults/fault.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Keyword, type Model, nodeAt, scopeInside } from "../model/model.ts";
import { solve } from "../solve/solve.ts";
import { countBindingBreaches, type Rules, type Subject } from "./draft.ts";
import { declaredMembers, foreignMembers } from "./members.ts";

/** How thoroughly to search for values of a part: the steps of one search, and whether a value may break other assertions of its schema. */
export interface SearchEffort {
  budget: number;
  mayBreakOthers: boolean;
  /** Returns a value without a search, if possible. */
  guess?: FaultContext["solve"];
}

/** A keyword, and the place where its schema is evaluated. */
export interface KeywordPlace {
  place: EvaluationPlace;
  keyword: Keyword;
}

/** Makes the context of a keyword at a location of a valid instance, for the fault families. */
export function contextFor(
  {
    model,
    samples,
    examples = [],
    foreign: isForeign,
    ...rules
  }: Rules & Pick<Subject, "model" | "samples" | "examples" | "foreign">,
  { place, keyword }: KeywordPlace,
  { parent, at, first }: Pick<FaultContext, "parent" | "at" | "first">,
  effort: SearchEffort,
): FaultContext {
  const value = pointer.at(at, parent) as Json;
  return {
    model,
    keyword,
    scope: scopeInside(model, nodeAt(model, place.node), place.scope),
    parent,
    at,
    value,
    first,
    // Computed only if a family needs it.
    get foreign() {
      return foreignMembers(model, place);
    },
    get declared() {
      const names = [...declaredMembers(model, place.node).keys()];
      const isPresent = (name: string): boolean => isForeign === true && isObject(value) && Object.hasOwn(value, name);
      return [...names.filter(isPresent), ...names.filter((name) => !isPresent(name))];
    },
    get ruleKeepingValues() {
      return [...samples, ...examples]
        .filter((instance) => pointer.has(at, instance))
        .map((instance) => pointer.at(at, instance) as Json);
    },
    countBreaches: (instance) => countBindingBreaches(rules, instance),
    solve: (formulas, hint) =>
      effort.guess?.(formulas, hint) ?? solveLocally(model, { place, keyword }, { formulas, hint }, effort),
  };
}

/** Finds a value for formulas that also satisfies the other keywords of the place. */
function solveLocally(
  model: Model,
  { place, keyword }: KeywordPlace,
  { formulas, hint }: { formulas: readonly Formula[]; hint: Json | undefined },
  { budget, mayBreakOthers }: SearchEffort,
): Json | undefined {
  const rest: Formula = {
    op: "schema",
    node: place.node,
    sign: true,
    scope: place.scope,
    focus: { steps: [], end: { break: keyword.site } },
  };
  const options = hint === undefined ? { budget } : { budget, hint };
  for (const attempt of mayBreakOthers ? [[rest, ...formulas], formulas] : [[rest, ...formulas]]) {
    const solution = solve(model, attempt, options);
    if ("found" in solution) return solution.found;
  }
  return undefined;
}
