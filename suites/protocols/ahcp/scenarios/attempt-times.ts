import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

/** Seconds between a signature and its arrival: some for the way, and for a clock that is only estimated. */
export const mostAway: number = 120 + 15;

/** Puts a clock that can be moved so far from real time that a signature shows which of both it goes by. */
export async function mustBeApart(context: ScenarioContext): Promise<void> {
  const least = 4 * mostAway * 1000;
  while (context.has("clock") && Math.abs((await context.now()) - Date.now()) < least) await context.pass(3 * least);
}

/** Why the time of a signature is not judged: the suite moved the clock between it and its arrival. */
export const ownJump =
  'whether pushes go by the clock that the hook "clock" moves is not known: let it say "pushes": true, or false where they go by real time';

/** Why dates that are repeated within seconds are not judged. */
const keptDate =
  "some attempts have the t of an earlier one, which came seconds before: that it is not kept for minutes does not show";

/** Why a time that all attempts have shows nothing. */
const atOnce =
  "all attempts have one t, which may be right so soon after the first: whether a later one would have another is not shown";

/** Whether the hub's pushes go by the clock that the hook moves, as the hook says. */
export async function clockOf(context: ScenarioContext): Promise<"moved" | "left" | "unknown"> {
  if (!context.has("clock")) return "moved";
  const { pushes } = await context.hook("clock", {});
  return pushes === undefined ? "unknown" : pushes === true ? "moved" : "left";
}

/** Milliseconds since 1970 at which a push came, by the suite's own clock. */
export function realTimeOf(arrival: Arrival | undefined): number {
  return Date.now() - (performance.now() - (arrival?.at ?? 0));
}

/** The dates of attempts. One that is kept shows its fault once it is minutes old, and attempts within seconds do not come to that. */
export class AttemptDates {
  /** By `t`, when the first attempt with it arrived. */
  readonly #known = new Map<string, number>();
  #count = 0;
  #isKept = false;

  add(t: string, { at }: Arrival): void {
    const first = this.#known.get(t) ?? at;
    this.#known.set(t, first);
    this.#count += 1;
    // Within a second two attempts rightly have one date.
    this.#isKept ||= at - first > 1500;
  }

  /** Skips AHCP-SIG-008 if a date that is kept could not have shown. */
  skipUnshown(context: ScenarioContext): void {
    if (this.#count > 1 && this.#known.size === 1) context.skip("AHCP-SIG-008", atOnce);
    else if (this.#isKept) context.skip("AHCP-SIG-008", keptDate);
  }
}
