import { setTimeout as sleep } from "node:timers/promises";
import type fc from "fast-check";

/** The starting order of the acts of a race, and the delay of each. */
export interface LaunchPlan {
  scheduler: fc.Scheduler;
  /** Delays in milliseconds, one for each act. */
  offsets: readonly number[];
}

/** Plans this many rounds of a race between this many acts, from a seed. */
export async function plansFor(seed: number, rounds: number, acts: number, maxOffset: number): Promise<LaunchPlan[]> {
  const { default: fc } = await import("fast-check");
  const offset = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: maxOffset }));
  const offsets = fc.array(offset, { minLength: acts, maxLength: acts });
  return fc
    .sample(fc.tuple(fc.scheduler(), offsets), { seed, numRuns: rounds })
    .map(([scheduler, each]) => ({ scheduler, offsets: each }));
}

/** Starts all acts in the order of the plan, without waiting for one before the next. */
export async function launch<T>({ scheduler, offsets }: LaunchPlan, acts: readonly (() => Promise<T>)[]): Promise<T[]> {
  const gates = acts.map((_, index) => scheduler.schedule(Promise.resolve(), String(index)));
  const running = gates.map(async (gate, index) => {
    await gate;
    const offset = offsets[index] ?? 0;
    if (offset > 0) await sleep(offset);
    return (acts[index] as () => Promise<T>)();
  });
  await scheduler.waitFor(Promise.all(gates));
  return Promise.all(running);
}
