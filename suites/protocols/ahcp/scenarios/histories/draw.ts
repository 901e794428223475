import { type LaunchPlan, plansFor } from "../../../../running/scenarios/launch.ts";

export type Act = "submit" | "other" | "read" | "answer red" | "answer blue" | "decline" | "cancel";

/** A party and its possible actions. An action that is listed twice is twice as likely. */
export interface HistoryParty {
  process: string;
  acts: readonly Act[];
}

export interface HistoryStep {
  /** The index of the ask. */
  of: number;
  act: Act;
  /** The milliseconds before the step. */
  pause: number;
}

export interface Round {
  plan: LaunchPlan;
  /** The actions of each party, in order. */
  scripts: HistoryStep[][];
}

export interface HistoryDraw {
  seed: number;
  rounds: number;
  asks: number;
  /** The starts of the parties are spread over this many milliseconds. */
  spreadMs: number;
  /** The maximum milliseconds between two steps. */
  pause: number;
}

/** Draws the actions and their times from the seed. All parties use the asks in the same order, so that their actions collide. */
export async function drawRounds(
  parties: readonly HistoryParty[],
  { seed, rounds, asks, spreadMs, pause }: HistoryDraw,
): Promise<Round[]> {
  const { default: fc } = await import("fast-check");
  const askIndexes = Array.from({ length: asks }, (_, index) => index);
  const order = fc.shuffledSubarray(askIndexes, { minLength: asks });
  const stepsOf = ({ acts }: HistoryParty) =>
    fc.array(
      fc.array(fc.record({ act: fc.constantFrom(...acts), pause: fc.nat({ max: pause }) }), {
        minLength: 1,
        maxLength: 2,
      }),
      { minLength: asks, maxLength: asks },
    );
  const samples = fc.sample(fc.tuple(order, fc.tuple(...parties.map(stepsOf))), { seed, numRuns: rounds });
  const plans = await plansFor(seed, rounds, parties.length, spreadMs);
  return samples.map(([order, scripts], index) => ({
    plan: plans[index] as LaunchPlan,
    scripts: scripts.map((visits) =>
      order.flatMap((of, visit) => (visits[visit] ?? []).map((step) => ({ ...step, of }))),
    ),
  }));
}
