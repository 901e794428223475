import { type LaunchPlan, plansFor } from "../../../../running/scenarios/launch.ts";

export type Act = "submit" | "other" | "read" | "answer red" | "answer blue" | "decline" | "cancel";

/** A party, and its possible actions, each listed as often as it is likely. */
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
  /** The actions of each party, in their order. */
  scripts: HistoryStep[][];
}

export interface HistoryDraw {
  seed: number;
  rounds: number;
  asks: number;
  /** The milliseconds over which the parties begin. */
  spreadMs: number;
  /** The maximum milliseconds between two steps. */
  pause: number;
}

/** The plan of all actions and their times, a function of the seed. All parties use the asks in the same order, so that they meet. */
export async function roundsOf(
  parts: readonly HistoryParty[],
  { seed, rounds, asks, spreadMs, pause }: HistoryDraw,
): Promise<Round[]> {
  const { default: fc } = await import("fast-check");
  const all = Array.from({ length: asks }, (_, index) => index);
  const order = fc.shuffledSubarray(all, { minLength: asks });
  const stepsOf = ({ acts }: HistoryParty) =>
    fc.array(
      fc.array(fc.record({ act: fc.constantFrom(...acts), pause: fc.nat({ max: pause }) }), {
        minLength: 1,
        maxLength: 2,
      }),
      { minLength: asks, maxLength: asks },
    );
  const samples = fc.sample(fc.tuple(order, fc.tuple(...parts.map(stepsOf))), { seed, numRuns: rounds });
  const plans = await plansFor(seed, rounds, parts.length, spreadMs);
  return samples.map(([order, scripts], index) => ({
    plan: plans[index] as LaunchPlan,
    scripts: scripts.map((visits) =>
      order.flatMap((of, visit) => (visits[visit] ?? []).map((step) => ({ ...step, of }))),
    ),
  }));
}
