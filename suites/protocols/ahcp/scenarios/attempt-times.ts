import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

/** The maximum seconds between a signature and its arrival: the window, plus a margin for transport and for the estimated clock. */
export const maxDistanceSeconds: number = 120 + 15;

/** Moves the hub's clock far from real time, so that a signature reveals which of the two it follows. */
export async function moveClockAway(context: ScenarioContext): Promise<void> {
  const minimumMs = 4 * maxDistanceSeconds * 1000;
  while (context.has("clock") && Math.abs((await context.now()) - Date.now()) < minimumMs)
    await context.pass(3 * minimumMs);
}

/** The reason to skip the check of a signature's time if the suite has moved the clock in the meantime. */
export const unknownClockReason =
  'it is unknown whether pushes follow the clock that the hook "clock" moves: let it return "pushes": true, or false if they follow real time';

/** The reason to skip the check of times that are repeated only within seconds. */
const repeatedTimeReason =
  "some attempts repeat the t of an attempt only seconds earlier: this does not show whether it is kept for minutes";

/** The reason to skip if all attempts have the same time. */
const sameTimeReason =
  "all attempts have the same t, which may be correct so soon after the first: this does not show whether a later one would differ";

/** Whether pushes follow the clock that the hook `clock` moves ("moved") or real time ("left"), according to the hook. */
export async function clockOfPushes(context: ScenarioContext): Promise<"moved" | "left" | "unknown"> {
  if (!context.has("clock")) return "moved";
  const { pushes } = await context.hook("clock", {});
  if (pushes === undefined) return "unknown";
  return pushes === true ? "moved" : "left";
}

/** The arrival time of a push by the suite's clock, in milliseconds since 1970. */
export function realTimeOf(arrival: Arrival | undefined): number {
  return Date.now() - (performance.now() - (arrival?.at ?? 0));
}

/** The times of attempts. Repeating a time is a fault only after minutes, which attempts within seconds cannot show. */
export class AttemptDates {
  /** The arrival of the first attempt with each `t`. */
  readonly #firstArrivals = new Map<string, number>();
  #attemptCount = 0;
  #isRepeatedLater = false;

  add(t: string, { at }: Arrival): void {
    const firstArrival = this.#firstArrivals.get(t) ?? at;
    this.#firstArrivals.set(t, firstArrival);
    this.#attemptCount += 1;
    // Attempts within a second may have the same time.
    this.#isRepeatedLater ||= at - firstArrival > 1500;
  }

  /** Skips AHCP-SIG-008 if the attempts cannot show whether the hub keeps a time for too long. */
  skipUnshown(context: ScenarioContext): void {
    if (this.#attemptCount > 1 && this.#firstArrivals.size === 1) context.skip("AHCP-SIG-008", sameTimeReason);
    else if (this.#isRepeatedLater) context.skip("AHCP-SIG-008", repeatedTimeReason);
  }
}
