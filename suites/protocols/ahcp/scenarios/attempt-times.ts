import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

/** The maximum seconds between a signature and its arrival, with some for transport and for an estimated clock. */
export const mostAway: number = 120 + 15;

/** Moves a clock so far from real time that a signature shows which of them it follows. */
export async function mustBeApart(context: ScenarioContext): Promise<void> {
  const least = 4 * mostAway * 1000;
  while (context.has("clock") && Math.abs((await context.now()) - Date.now()) < least) await context.pass(3 * least);
}

/** Why the time of a signature is not judged: the suite moved the clock between it and its arrival. */
export const ownJump =
  'it is unknown whether pushes follow the clock that the hook "clock" moves: let it return "pushes": true, or false if they follow real time';

/** Why dates that are repeated within seconds are not judged. */
const keptDate =
  "some attempts have the t of an attempt only seconds earlier: nothing shows whether it is kept for minutes";

/** Why the same time in all attempts shows nothing. */
const atOnce =
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
    const first = this.#known.get(t) ?? at;
    this.#known.set(t, first);
    this.#count += 1;
    // Two attempts within a second may have the same date.
    this.#isKept ||= at - first > 1500;
  }

  /** Skips AHCP-SIG-008 if the attempts could not show that a date is repeated. */
  skipUnshown(context: ScenarioContext): void {
    if (this.#count > 1 && this.#known.size === 1) context.skip("AHCP-SIG-008", atOnce);
    else if (this.#isKept) context.skip("AHCP-SIG-008", keptDate);
  }
}
