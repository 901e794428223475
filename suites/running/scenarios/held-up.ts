import { type Result, type Setting, type Skip, TargetFailure, TargetSkip } from "../../../schemas/index.ts";

/** The maximum tolerable delay of the suite, in milliseconds: by default a quarter of the shortest time that scenarios wait. */
function tolerableMs(): number {
  return Number(process.env.TOUCHSTONE_HELD_UP_MS) || 250;
}

/**
 * Returns a skip if the suite itself was held up during a scenario: it may have read answers too late or in the wrong order, so a breach or a timeout
 * shows nothing. Undefined if the delay is tolerable, or at most a quarter of `waitedMs`, the time until the timeout.
 */
export function heldUpSkip(
  milliseconds: number,
  { timeScale = 1 }: Pick<Setting, "timeScale">,
  waitedMs = 0,
): Skip | undefined {
  if (milliseconds <= Math.max(tolerableMs(), waitedMs / 4) * Math.max(1, timeScale)) return undefined;
  const why = `the suite itself was held up for ${milliseconds} ms, so this shows nothing of the target: run it again on a machine with less load`;
  return { why, cause: { kind: "held-up", milliseconds } };
}

/** Turns the timeout of a scenario into a skip if the suite was held up. Any other end stays the same. */
export function endHeldUp(ended: unknown, skip: Skip | undefined): unknown {
  if (skip === undefined || !(ended instanceof TargetFailure) || ended.outcome !== "timed-out") return ended;
  return new TargetSkip(skip.why, skip.cause);
}

/** The maximum number of further plays of a scenario if the suite was held up. */
const maxPlays = 2;

/**
 * Plays a scenario again as long as one of its results is skipped because the suite was held up. Returns the results, and the total number of plays.
 * `playNext` returns the results of a further play, or undefined if the run has ended.
 */
export async function playedUndisturbed(
  first: readonly Result[],
  playNext: (attempt: number) => Promise<readonly Result[] | undefined>,
): Promise<{ results: readonly Result[]; plays: number }> {
  let results = first;
  let plays = 1;
  while (plays <= maxPlays && results.some(isHeldUp)) {
    const nextResults = await playNext(plays);
    if (nextResults === undefined) break;
    plays += 1;
    results = results.map((result, index) => (isHeldUp(result) ? (nextResults[index] ?? result) : result));
  }
  return { results, plays };
}

function isHeldUp({ cause }: Result): boolean {
  return cause?.kind === "held-up";
}
