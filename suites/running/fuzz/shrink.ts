import type fc from "fast-check";
import type { Result } from "../../../schemas/index.ts";
import { causeOf } from "./cause.ts";
import type { FuzzDraw } from "./draws.ts";
import { shortPath } from "./path.ts";

export interface Shrinking {
  draws: fc.Arbitrary<FuzzDraw>;
  seed: number;
  /** The index of the failed draw, and the cause of its failure. */
  index: number;
  cause: string;
  /** Sends a draw to the target, with a distinct name. */
  ask(draw: FuzzDraw, name: string): Promise<Result | undefined>;
}

export interface Shrunk {
  draw: FuzzDraw;
  result: Result;
  /** The abbreviated path from the seed to the draw. */
  path: string;
}

/** Shrinking ends after this many messages, with the smallest failing message so far. */
const maxSteps = { breach: 500, error: 60 } as const;

/** Shrinking also ends after this many milliseconds. */
const maxShrinkTime = 30_000;

/** Whether to shrink a failure: not if each message could kill or delay the target. */
export function canShrink({ outcome, stage }: Result): boolean {
  return outcome === "violates" || outcome === "warns" || (outcome === "errored" && stage === "answer");
}

/** Finds the smallest message that still fails for the same cause. Undefined if the failure cannot be repeated. */
export async function shrink(
  { draws, seed, index, cause, ask }: Shrinking,
  outcome: Result["outcome"],
): Promise<Shrunk | undefined> {
  const { default: fc } = await import("fast-check");
  let stepsLeft: number = outcome === "errored" ? maxSteps.error : maxSteps.breach;
  const startedAt = performance.now();
  let smallest: Omit<Shrunk, "path"> | undefined;
  const stillFails = async (draw: FuzzDraw): Promise<boolean> => {
    // The limits are reached: skip all further messages.
    if (stepsLeft-- <= 0 || performance.now() - startedAt > maxShrinkTime) throw new fc.PreconditionFailure(true);
    const result = await ask(draw, `${index}~${stepsLeft}`);
    // A target that hangs would hang for each smaller message.
    if (result === undefined || result.outcome === "timed-out") stepsLeft = 0;
    if (result === undefined || causeOf(result) !== cause) return true;
    smallest = { draw, result };
    return false;
  };
  const options = { seed, path: String(index), numRuns: 1 };
  const { counterexamplePath } = await fc.check(fc.asyncProperty(draws, stillFails), options);
  return smallest === undefined || counterexamplePath === null
    ? undefined
    : { ...smallest, path: shortPath(counterexamplePath) };
}
