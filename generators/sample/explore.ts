import { type Formula, facet, type Shape } from "../formulas/formula.ts";
import { everyKind } from "../formulas/kinds.ts";
import type { Model } from "../model/model.ts";
import { expand } from "../solve/expand.ts";
import type { ImpossibleMember, Search } from "../solve/search.ts";
import { keyOf } from "./key.ts";
import { drawUnit, randomFrom } from "./random.ts";

/** Shapes of one conjunction that are kept. */
const maxShapes = 48;
/** Steps of a complete search. */
const maxSteps = 30_000;
/** Random searches after an incomplete one, and the steps of each. */
const maxDraws = 96;
const maxStepsPerDraw = 2000;

/** How much an alternative that was only tried counts in comparison with a chosen one. */
const triedWeight = 0.3;

/** A result and its weight in a draw. The only example of an alternative weighs most. */
export interface Weighted<T> {
  result: T;
  weight: number;
}

class BudgetExhausted extends Error {}

/**
 * Explores the shapes of a conjunction: all of them if they are few, otherwise a bounded number that covers every alternative of every choice.
 * `make` converts a shape to a result, or returns undefined if no value has the shape. It adds impossible members to the list that it receives.
 */
export function explore<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, impossibleMembers: ImpossibleMember[]) => T | undefined,
): Weighted<T>[] {
  const impossibleMembers: ImpossibleMember[] = [];
  const complete = exploreAll(model, formulas, make, impossibleMembers);
  return weighValues(complete ?? coverChoices(model, formulas, make, impossibleMembers));
}

interface ExploredValue<T> {
  result: T;
  /** The keys of the chosen alternatives. */
  trail: readonly string[];
}

function exploreAll<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, impossibleMembers: ImpossibleMember[]) => T | undefined,
  impossibleMembers: ImpossibleMember[],
): ExploredValue<T>[] | undefined {
  const results: ExploredValue<T>[] = [];
  const walk = new ExploringWalk(model, maxSteps, (keys) => keys);
  try {
    for (const shape of expand(walk, formulas, impossibleMembers)) {
      const result = make(shape, impossibleMembers);
      if (result !== undefined) results.push({ result, trail: [...walk.trail] });
      if (results.length > maxShapes) return undefined;
    }
  } catch (error) {
    if (error instanceof BudgetExhausted) return undefined;
    throw error;
  }
  return results;
}

/** Draws shapes one by one. Prefers the alternatives that were chosen least, and among them those that were tried least. */
function coverChoices<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, impossibleMembers: ImpossibleMember[]) => T | undefined,
  impossibleMembers: ImpossibleMember[],
): ExploredValue<T>[] {
  const results = new Map<string, ExploredValue<T>>();
  const timesByKey = new Map<string, number>();
  const random = randomFrom(1);
  const addTimes = (keys: readonly string[], amount: number) => {
    for (const key of keys) timesByKey.set(key, (timesByKey.get(key) ?? 0) + amount);
  };
  for (let draw = 0; draw < maxDraws && results.size < maxShapes; draw += 1) {
    const walk = new ExploringWalk(model, maxStepsPerDraw, (keys) => {
      const keysByRank = keys
        .map((key) => ({ key, rank: (timesByKey.get(key) ?? 0) + drawUnit(random) / 2 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ key }) => key);
      addTimes(keysByRank.slice(0, 1), triedWeight);
      return keysByRank;
    });
    try {
      for (const shape of expand(walk, formulas, impossibleMembers)) {
        const result = make(shape, impossibleMembers);
        if (result === undefined) continue;
        addTimes(walk.trail, 1);
        const trail = [...walk.trail];
        results.set([...trail].sort().join(" "), { result, trail });
        break;
      }
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
    }
  }
  return [...results.values()];
}

/** Weighs each shape by its rarest alternative: the fewer shapes have that alternative, the more the shape weighs. */
function weighValues<T>(results: readonly ExploredValue<T>[]): Weighted<T>[] {
  const times = new Map<string, number>();
  for (const { trail } of results) for (const key of trail) times.set(key, (times.get(key) ?? 0) + 1);
  return results.map(({ result, trail }) => ({
    result,
    weight: 1 / trail.reduce((least, key) => Math.min(least, times.get(key) as number), results.length),
  }));
}

/** A search that only splits formulas, and records the alternatives of the present shape. */
class ExploringWalk implements Search {
  readonly model: Model;
  readonly full = false;
  readonly trail: string[] = [];
  #remaining: number;
  readonly #rank: (keys: readonly string[]) => readonly string[];

  constructor(model: Model, steps: number, rank: (keys: readonly string[]) => readonly string[]) {
    this.model = model;
    this.#remaining = steps;
    this.#rank = rank;
  }

  spend(): void {
    this.#remaining -= 1;
    if (this.#remaining < 0) throw new BudgetExhausted();
  }

  /** Adds a facet to every alternative. It constrains nothing, but records that the search entered the alternative. */
  order(alternatives: readonly Formula[]): readonly Formula[] {
    const choice = alternatives.map(keyOf).join("|");
    const depth = this.trail.length;
    const formulaByKey = new Map(alternatives.map((formula, index) => [`${choice}#${index}`, formula]));
    return this.#rank([...formulaByKey.keys()]).map((key): Formula => {
      const marker = facet(everyKind, () => {
        this.trail.length = depth;
        this.trail.push(key);
      });
      return { op: "and", of: [marker, formulaByKey.get(key) as Formula] };
    });
  }

  avoid(formula: Formula): Formula {
    return formula;
  }

  giveUp(): void {}

  *values(): Generator<never> {}

  first(): undefined {
    return undefined;
  }

  holds(): boolean {
    return false;
  }
}
