import { type Formula, facet, type Shape } from "../formulas/formula.ts";
import { everyKind } from "../formulas/kinds.ts";
import type { Model } from "../model/model.ts";
import { expand } from "../solve/expand.ts";
import type { ImpossibleMember, Search } from "../solve/search.ts";
import { keyOf } from "./key.ts";
import { randomFrom, unit } from "./random.ts";

/** The number of shapes of one conjunction that are kept, and the steps spent on finding them. */
const maxShapes = 48;
const maxSteps = 30_000;
const maxDraws = 96;
const maxStepsPerDraw = 2000;

/** A shape and its weight in a draw: shapes with the only example of some alternative weigh most. */
export interface Weighted<T> {
  made: T;
  weight: number;
}

class Enough extends Error {}

/**
 * Shapes of a conjunction, all of them if they are few. Otherwise a bounded number that together have every possible alternative of
 * every choice. `make` turns a shape into the kept result, or returns undefined if no value has the shape; it adds its knowledge of
 * impossible members to `dead`.
 */
export function explore<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, dead: ImpossibleMember[]) => T | undefined,
): Weighted<T>[] {
  const dead: ImpossibleMember[] = [];
  const all = completeSample(model, formulas, make, dead);
  return weighValues(all ?? coverChoices(model, formulas, make, dead));
}

interface ExploredValue<T> {
  made: T;
  /** The alternatives chosen on the way, by key. */
  trail: readonly string[];
}

function completeSample<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, dead: ImpossibleMember[]) => T | undefined,
  dead: ImpossibleMember[],
): ExploredValue<T>[] | undefined {
  const found: ExploredValue<T>[] = [];
  const walk = new ExploringWalk(model, maxSteps, (keys) => keys);
  try {
    for (const shape of expand(walk, formulas, dead)) {
      const made = make(shape, dead);
      if (made !== undefined) found.push({ made, trail: [...walk.trail] });
      if (found.length > maxShapes) return undefined;
    }
  } catch (error) {
    if (error instanceof Enough) return undefined;
    throw error;
  }
  return found;
}

/** Draws shapes one by one, each time preferring the alternatives that were chosen and tried least. */
function coverChoices<T>(
  model: Model,
  formulas: readonly Formula[],
  make: (shape: Shape, dead: ImpossibleMember[]) => T | undefined,
  dead: ImpossibleMember[],
): ExploredValue<T>[] {
  const found = new Map<string, ExploredValue<T>>();
  const taken = new Map<string, number>();
  const random = randomFrom(1);
  const count = (keys: readonly string[], amount: number) => {
    for (const key of keys) taken.set(key, (taken.get(key) ?? 0) + amount);
  };
  for (let draw = 0; draw < maxDraws && found.size < maxShapes; draw += 1) {
    const walk = new ExploringWalk(model, maxStepsPerDraw, (keys) => {
      const ranked = keys
        .map((key) => ({ key, rank: (taken.get(key) ?? 0) + unit(random) / 2 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ key }) => key);
      count(ranked.slice(0, 1), 0.3);
      return ranked;
    });
    try {
      for (const shape of expand(walk, formulas, dead)) {
        const made = make(shape, dead);
        if (made === undefined) continue;
        count(walk.trail, 1);
        const trail = [...walk.trail];
        found.set([...trail].sort().join(" "), { made, trail });
        break;
      }
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
    }
  }
  return [...found.values()];
}

/** A shape weighs as much as its rarest alternative is rare. */
function weighValues<T>(found: readonly ExploredValue<T>[]): Weighted<T>[] {
  const times = new Map<string, number>();
  for (const { trail } of found) for (const key of trail) times.set(key, (times.get(key) ?? 0) + 1);
  return found.map(({ made, trail }) => ({
    made,
    weight: 1 / trail.reduce((least, key) => Math.min(least, times.get(key) as number), found.length),
  }));
}

/** A search that only splits formulas, and knows its present alternatives. */
class ExploringWalk implements Search {
  readonly model: Model;
  readonly full = false;
  readonly trail: string[] = [];
  #left: number;
  readonly #rank: (keys: readonly string[]) => readonly string[];

  constructor(model: Model, steps: number, rank: (keys: readonly string[]) => readonly string[]) {
    this.model = model;
    this.#left = steps;
    this.#rank = rank;
  }

  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new Enough();
  }

  /** Every alternative comes with a facet that constrains nothing and notes that it was entered. */
  order(alternatives: readonly Formula[]): readonly Formula[] {
    const choice = alternatives.map(keyOf).join("|");
    const depth = this.trail.length;
    const byKey = new Map(alternatives.map((formula, index) => [`${choice}#${index}`, formula]));
    return this.#rank([...byKey.keys()]).map((key): Formula => {
      const note = facet(everyKind, () => {
        this.trail.length = depth;
        this.trail.push(key);
      });
      return { op: "and", of: [note, byKey.get(key) as Formula] };
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
