import { equal, type Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { isEndless } from "./endless-recursion.ts";
import { noteLearnt, wantsLearning } from "./shared-propositions.ts";
import { type Limits, OutOfBudget, type SolveOptions, Solver } from "./solver.ts";

export type { Manner, SolveOptions } from "./solver.ts";

/** A value; or `none`, if it is proven that there is no value; or `gaveUp` with the reason, which proves nothing. */
export type Solution = { found: Json } | { none: true } | { gaveUp: string };

/** Finds a value for the formulas, nested as little as possible: deeper values are tried only if no flatter one exists. */
export function solve(model: Model, formulas: readonly Formula[], options: SolveOptions = {}): Solution {
  const [first] = [...solutions(model, formulas, { ...options, limit: 1 })];
  return first ?? { none: true };
}

/** Finds up to `limit` different values. If there is none, yields `none` if that is proven, and `gaveUp` otherwise. */
export function* solutions(
  model: Model,
  formulas: readonly Formula[],
  options: SolveOptions & { limit: number },
): Generator<Solution> {
  const found: Json[] = [];
  const budget = options.budget ?? 100_000;
  const { manner } = options;
  if (manner !== undefined) {
    const end = yield* deepenSearch(model, formulas, { ...options, budget, manner, isShort: false }, found);
    if (found.length === 0) yield end.reason === undefined ? { none: true } : { gaveUp: end.reason };
    return;
  }
  const isLearningPreferred = wantsLearning(model);
  const shortSearchBudget = Math.min(budget, isLearningPreferred ? shorterBudget : shortBudget);
  const shortLimits: Limits = { ...options, budget: shortSearchBudget, manner: "plain", isShort: true };
  let end = yield* deepenSearch(model, formulas, shortLimits, found);
  if (end.isTooLong && shortLimits.budget < budget) {
    // If a short search is not enough, these are tried in turn: learning from conflicts, a short search that checks negated schemas only afterwards,
    // a long search, and learning if it was not tried yet.
    const learningLimits: Limits = { ...shortLimits, budget, manner: "learning" };
    const mayLearn = !isEndless(model);
    const learnsFirst = mayLearn && (end.isCrowded || isLearningPreferred);
    const isOpen = () => found.length < options.limit && end.reason !== undefined;
    const { hasNegations } = end;
    if (learnsFirst) end = yield* deepenSearch(model, formulas, learningLimits, found);
    if (isOpen() && found.length === 0 && hasNegations && !formulas.some(hasFocus))
      yield* deepenSearch(model, formulas, { ...shortLimits, manner: "hopeful" }, found);
    if (isOpen()) end = yield* deepenSearch(model, formulas, { ...shortLimits, budget, isShort: false }, found);
    if (isOpen() && found.length === 0 && mayLearn && !learnsFirst && budget >= patientBudget) {
      end = yield* deepenSearch(model, formulas, learningLimits, found);
      if (!isOpen() || found.length > 0) noteLearnt(model);
    }
  }
  if (found.length > 0) return;
  yield end.reason === undefined ? { none: true } : { gaveUp: end.reason };
}

/** The steps of the first, short search. */
const shortBudget = 15_000;

/** The steps of the short search if earlier searches on the model needed learning. */
const shorterBudget = 1000;

/** With this budget or more, learning is tried last even if there are few choices. A caller with a smaller budget has alternatives. */
const patientBudget = 60_000;

/** How a search ended: the reason why it proves nothing, if there is one, and what it encountered. */
interface SearchEnd {
  reason: string | undefined;
  isTooLong: boolean;
  hasNegations: boolean;
  /** Whether many choices were open together. */
  isCrowded: boolean;
}

/** Searches repeatedly, each time with a higher depth limit. */
function* deepenSearch(
  model: Model,
  formulas: readonly Formula[],
  options: Limits,
  found: Json[],
): Generator<Solution, SearchEnd> {
  const end: SearchEnd = { reason: undefined, isTooLong: false, hasNegations: false, isCrowded: false };
  const start = options.depth ?? (options.full === true ? 4 : 0);
  for (const extraDepth of [2, 4, 7, 12, 20, 40, 80]) {
    const solver = new Solver(model, options);
    try {
      for (const value of solver.answers(formulas, options, start + extraDepth)) {
        if (found.some((earlier) => equal(earlier, value))) continue;
        if (options.manner === "hopeful" && !formulas.every((formula) => solver.holds(formula, value))) continue;
        found.push(value);
        yield { found: value };
        if (found.length >= options.limit) return end;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      const hasNegations = end.hasNegations || solver.hasNegations;
      const isCrowded = end.isCrowded || solver.isCrowded;
      return { reason: "the search took too many steps", isTooLong: true, hasNegations, isCrowded };
    }
    end.reason = solver.reason;
    end.hasNegations ||= solver.hasNegations;
    end.isCrowded ||= solver.isCrowded;
    if (!solver.isCutOff) break;
  }
  return end;
}

function hasFocus(formula: Formula): boolean {
  if (formula.op === "and" || formula.op === "or") return formula.of.some(hasFocus);
  return formula.op === "facet" || (formula.op === "schema" && formula.focus !== undefined);
}
