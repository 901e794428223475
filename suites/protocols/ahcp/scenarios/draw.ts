import { createHash } from "node:crypto";
import type { ScenarioContext } from "../../../../schemas/index.ts";

/** Draws pseudorandom values from the seed of a run, so that the same seed draws the same values. */
export interface HubDraw {
  /** An integer from 0 to `bound - 1`. */
  number(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** This many different items, in a random order. */
  pickSome<T>(items: readonly T[], count: number): T[];
}

export function drawFor(context: ScenarioContext): HubDraw {
  const number = (bound: number): number =>
    createHash("sha256").update(context.fresh("draw")).digest().readUInt32BE(0) % bound;
  const pickSome = <T>(items: readonly T[], count: number): T[] => {
    const remaining = [...items];
    const picked: T[] = [];
    while (picked.length < count && remaining.length > 0) picked.push(...remaining.splice(number(remaining.length), 1));
    return picked;
  };
  return { number, pick: (items) => items[number(items.length)] as never, pickSome };
}
