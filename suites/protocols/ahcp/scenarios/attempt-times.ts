import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

/** The maximum seconds between a signature and its arrival, including some for transport and for the error of an estimated clock. */
export const maxDistance: number = 120 + 15;

/** Moves the hub's clock so far from real time that a signature shows which of them it follows. */
export async function moveClockAway(context: ScenarioContext): Promise<void> {
  const minimumMs = 4 * maxDistance * 1000;
  while (context.has("clock") && Math.abs((await context.now()) - Date.now()) < minimumMs)
    await context.pass(3 * minimumMs);
}

/** Why the time of a signature is not judged: the suite moved the clock between it and its arrival. */
export const unknownClock =
  'it is unknown whether pushes follow the clock that the hook "clock" moves: let it return "pushes": true, or false if they follow real time';

/** Why dates that are repeated within seconds are not judged. */
const repeatedDate =
  "some attempts have the t of an attempt only seconds earlier: nothing shows whether it is kept for minutes";

/** Why the same time in all attempts shows nothing. */
const sameDate =
  "all attempts have one t, which may be right so soon after the first: nothing shows whether a later one would have another";

/** Whether the hub's pushes follow the clock that the hook moves, according to the hook. */
export async function clockOf(context: ScenarioContext): Promise<"moved" | "left" | "unknown"> {
  if (!context.has("clock")) return "moved";
  const { pushes } = await context.hook("clock", {});
  return pushes === undefined ? "unknown" : pushes === true ? "moved" : "left";
}

/** The arrival time of a push in milliseconds since 1970, by the suite's own clock. */
export function realTimeOf(arrival: Arrival | undefined): number {
  return Date.now() - (performance.now() - (arrival?.at ?? 0));
}

/** The dates of attempts. A repeated date is a fault once it is minutes old, which attempts within seconds cannot show. */
export class AttemptDates {
  /** The arrival of the first attempt with each `t`. */
  readonly #known = new Map<string, number>();
  #count = 0;
  #isKept = false;

  add(t: string, { at }: Arrival): void {
    const firstArrival = this.#known.get(t) ?? at;
    this.#known.set(t, firstArrival);
    this.#count += 1;
    // Two attempts within a second may have the same date.
    this.#isKept ||= at - firstArrival > 1500;
  }

  /** Skips AHCP-SIG-008 if the attempts could not show that a date is repeated. */
  skipUnshown(context: ScenarioContext): void {
    if (this.#count > 1 && this.#known.size === 1) context.skip("AHCP-SIG-008", sameDate);
    else if (this.#isKept) context.skip("AHCP-SIG-008", repeatedDate);
  }
}
