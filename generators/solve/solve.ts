import { equal, type Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Model } from "../model/model.ts";
import { isEndless } from "./endless-recursion.ts";
import { noteLearnt, wantsLearning } from "./shared-propositions.ts";
import { type Limits, OutOfBudget, type SolveOptions, Solver } from "./solver.ts";

export type { Manner, SolveOptions } from "./solver.ts";

/** A witness, or why there is none: `none` is proven, `gave-up` is not. */
export type Solution = { found: Json } | { none: true } | { gaveUp: string };

/** Finds a value for the formulas. Objects are nested as little as possible: deeper ones are tried only when no flat one exists. */
export function solve(model: Model, formulas: readonly Formula[], options: SolveOptions = {}): Solution {
  const given = [...solutions(model, formulas, { ...options, limit: 1 })];
  const [first] = given;
  return first ?? { none: true };
}

/** Up to `limit` different values; the last entry gives the reason for the end if that was not the limit. */
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
  const isKnown = wantsLearning(model);
  const soon = Math.min(budget, isKnown ? firstBudget : soonBudget);
  const short: Limits = { ...options, budget: soon, manner: "plain", isShort: true };
  let end = yield* deepenSearch(model, formulas, short, found);
  if (end.isTooLong && short.budget < budget) {
    // If a short search is not enough, luck is tried before a long one, and before both the search that learns from conflicting choices.
    const learning: Limits = { ...short, budget, manner: "learning" };
    const mayLearn = !isEndless(model);
    const isCrowded = mayLearn && (end.isCrowded || isKnown);
    const isOpen = () => found.length < options.limit && end.reason !== undefined;
    const { avoids } = end;
    if (isCrowded) end = yield* deepenSearch(model, formulas, learning, found);
    if (isOpen() && found.length === 0 && avoids && !formulas.some(hasFocus))
      yield* deepenSearch(model, formulas, { ...short, manner: "hopeful" }, found);
    if (isOpen()) end = yield* deepenSearch(model, formulas, { ...short, budget, isShort: false }, found);
    if (isOpen() && found.length === 0 && mayLearn && !isCrowded && budget >= patientBudget) {
      end = yield* deepenSearch(model, formulas, learning, found);
      if (!isOpen() || found.length > 0) noteLearnt(model);
    }
  }
  if (found.length > 0) return;
  yield end.reason === undefined ? { none: true } : { gaveUp: end.reason };
}

/** Steps after which another way is tried. */
const soonBudget = 15_000;

/** The same for a model with earlier searches that only learning answered. */
const firstBudget = 1000;

/** A caller that allows this many steps needs the answer; others have alternatives when a search gives up. */
const patientBudget = 60_000;

/** The failure of a search, if any, and whether there were branches to be avoided. */
interface End {
  reason: string | undefined;
  isTooLong: boolean;
  avoids: boolean;
  /** Whether there were many choices at once. */
  isCrowded: boolean;
}

/** Searches deeper and deeper. */
function* deepenSearch(
  model: Model,
  formulas: readonly Formula[],
  options: Limits,
  found: Json[],
): Generator<Solution, End> {
  const end: End = { reason: undefined, isTooLong: false, avoids: false, isCrowded: false };
  const start = options.depth ?? (options.full === true ? 4 : 0);
  for (const more of [2, 4, 7, 12, 20, 40, 80]) {
    const solver = new Solver(model, options);
    try {
      for (const value of solver.answers(formulas, options, start + more)) {
        if (found.some((each) => equal(each, value))) continue;
        if (options.manner === "hopeful" && !formulas.every((formula) => solver.holds(formula, value))) continue;
        found.push(value);
        yield { found: value };
        if (found.length >= options.limit) return end;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      const avoids = end.avoids || solver.avoids;
      const isCrowded = end.isCrowded || solver.isCrowded;
      return { reason: "the search took too many steps", isTooLong: true, avoids, isCrowded };
    }
    end.reason = solver.reason;
    end.avoids ||= solver.avoids;
    end.isCrowded ||= solver.isCrowded;
    if (!solver.cut) break;
  }
  return end;
}

function hasFocus(formula: Formula): boolean {
  if (formula.op === "and" || formula.op === "or") return formula.of.some(hasFocus);
  return formula.op === "facet" || (formula.op === "schema" && formula.focus !== undefined);
}
