import { createHash } from "node:crypto";
import type { ScenarioContext } from "../../../../schemas/index.ts";

/** Draws from the seed of a run: the same seed draws the same values in the same order. */
export interface HubDraw {
  /** An integer from 0 to one less than `below`. */
  number(below: number): number;
  one<T>(of: readonly T[]): T;
  /** This many of them, each once, in a random order. */
  some<T>(of: readonly T[], count: number): T[];
}

export function drawFor(context: ScenarioContext): HubDraw {
  const number = (below: number): number =>
    createHash("sha256").update(context.fresh("draw")).digest().readUInt32BE(0) % below;
  const some = <T>(of: readonly T[], count: number): T[] => {
    const left = [...of];
    const drawn: T[] = [];
    while (drawn.length < count && left.length > 0) drawn.push(...left.splice(number(left.length), 1));
    return drawn;
  };
  return { number, one: (of) => of[number(of.length)] as never, some };
}
