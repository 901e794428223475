import type { ScenarioContext } from "../../../schemas/index.ts";

/** The random draws of a scenario. They are the same for the same seed, scenario and order of calls. */
export interface ScenarioDraw {
  /** Draws an integer from `first` to `last`, both included. */
  between(first: number, last: number): number;
  /** Draws one of the items. */
  one<T>(items: readonly T[]): T;
  /** Draws this many of the items, without repetition, in random order. */
  some<T>(items: readonly T[], count: number): T[];
}

/** Returns the part of fresh ids that distinguishes a further attempt from the first. */
export function attemptSuffix(attempt: number): string {
  return `-again${attempt}`;
}

export function drawFor(context: ScenarioContext): ScenarioDraw {
  // A further attempt draws the same values as the first.
  const text = context.fresh("draw").replace(/-again\d+(?=-)/, "");
  // A linear congruential generator, seeded with a hash of the text.
  let state = [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7);
  const drawBetween = (first: number, last: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return first + Math.floor((state / 2 ** 32) * (last - first + 1));
  };
  const drawOne = <T>(items: readonly T[]): T => items[drawBetween(0, items.length - 1)] as T;
  return {
    between: drawBetween,
    one: drawOne,
    some(items, count) {
      const remaining = [...items];
      return Array.from({ length: Math.min(count, items.length) }, () =>
        remaining.splice(drawBetween(0, remaining.length - 1), 1),
      ).flat();
    },
  };
}
