import {
  type Arrival,
  type Callback,
  type JsonObject,
  missingNeeds,
  type Reaction,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { awaitFirstPush } from "./due-messages.ts";
import { timeExchange } from "./published.ts";
import { askWithPush, awaitNextPush, movesPauses } from "./pushes.ts";
import { redAnswer, resolveMessage } from "./steps.ts";

/** Submits an ask with a callback that reacts like this, and ends it, by default with an answer. */
export async function answerAttempts(
  context: ScenarioContext,
  reactions: readonly Reaction[],
  ending: JsonObject = redAnswer,
  members: JsonObject = {},
): Promise<{ id: string; callback: Callback }> {
  const callback = await context.callback(reactions);
  const { id } = await askWithPush(context, callback, members);
  await resolveMessage(context, id, ending);
  return { id, callback };
}

/** Reactions of a callback that accepts only the fifth attempt, the last that any hub must make (AHCP-DLV-004). */
export const failures: readonly Reaction[] = [503, 503, 503, 503, 200];

/** Skips rules about all attempts if fewer arrived than any hub must make, because a later attempt may differ. */
export function skipWithoutAllAttempts(
  context: ScenarioContext,
  { arrivals }: Pick<Callback, "arrivals">,
  rules: readonly string[],
): void {
  if (arrivals.length >= failures.length) return;
  const why = `of ${failures.length} attempts, which any hub makes, ${arrivals.length} arrived: a later one may differ (a hook "clock" that moves pushes shortens the pauses)`;
  for (const rule of rules) context.skip(rule, why, missingNeeds("clock"));
}

/** Pauses by the hub's clock grow if they increase by this factor. */
const clockFactor = 1.5;
/** The factor for pauses in real time, which include the duration of requests. */
const realFactor = 1.05;

/** The median; for an even number of values, the greater of the two in the middle. */
function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/**
 * Measures the milliseconds between attempts until the hub stops. `areMoved` tells whether the moved clock triggered all of
 * them: then a pause is the distance by which the clock was moved. Otherwise it is the real time between two arrivals.
 */
export async function measurePauses(
  context: ScenarioContext,
  callback: Callback,
  maxAttempts: number,
  quietMs: number,
): Promise<{ gaps: number[]; areMoved: boolean }> {
  const { arrivals } = callback;
  const gaps: number[] = [];
  let areMoved = await movesPauses(context);
  while (arrivals.length < maxAttempts) {
    const startedAt = await context.now();
    let passedMs = 0;
    const pass = async (step: number): Promise<void> => {
      passedMs += step;
      const remainingMs = startedAt + passedMs - (await context.now());
      if (remainingMs > 0) await context.pass(remainingMs);
    };
    const coming = await awaitNextPush(context, callback, quietMs, { growth: clockFactor, pass });
    if (coming === "never") break;
    areMoved &&= coming === "put-forward";
    gaps.push(Math.round(passedMs));
  }
  const realGaps = arrivals.slice(1).map(({ at }, index) => Math.round(at - (arrivals[index] as Arrival).at));
  return { gaps: areMoved ? gaps : realGaps, areMoved };
}

/** The reason to skip the growth of pauses. */
export const tooQuickReason = "the pauses are so short that only the duration of the attempts may grow";

/**
 * Whether the pauses between attempts grow; undefined if they are too short to tell. If the pauses of one message do not
 * clearly grow, the medians of five messages decide, because pauses may be random.
 */
export async function areGrowing(
  context: ScenarioContext,
  { gaps, areMoved }: { gaps: readonly number[]; areMoved: boolean },
): Promise<boolean | undefined> {
  const lastOf = (pausesMs: readonly number[]): number => pausesMs.at(-1) ?? 0;
  const seemToGrow = median(gaps.slice(2)) > realFactor * median(gaps.slice(0, 2));
  if (!areMoved && (await mayBeDurations(context, gaps))) return areGrowingQuickly(context);
  // If an attempt is noticed one step of the clock too late, the pause before it seems longer.
  if (!areMoved || (seemToGrow && lastOf(gaps) > clockFactor * realFactor * (gaps[0] ?? 0))) return seemToGrow;
  const allGaps = [gaps];
  while (allGaps.length < 5) {
    const { callback } = await answerAttempts(context, [500]);
    await awaitFirstPush(context, callback);
    allGaps.push((await measurePauses(context, callback, 5, 48 * 3_600_000)).gaps);
  }
  return median(allGaps.map(lastOf)) > realFactor * median(allGaps.map(([first = 0]) => first));
}

/** A hub that does not pause needs at most this many real milliseconds for all of its attempts. */
const noPausesMs = 1000;

/** Whether the pauses may be only the duration of the attempts, which is about that of a first push. */
async function mayBeDurations(context: ScenarioContext, gaps: readonly number[]): Promise<boolean> {
  if (gaps.reduce((sum, gap) => sum + gap, 0) < noPausesMs) return true;
  const startedAt = performance.now();
  const { callback } = await answerAttempts(context, [200]);
  await awaitFirstPush(context, callback);
  return median(gaps) <= performance.now() - startedAt;
}

/** Shorter pauses, in milliseconds, cannot show growth. */
const minPauseMs = 5;

/** The first and the last of four pauses in real time. */
interface PauseEnds {
  first: number;
  last: number;
}

/** Measures the pauses of five messages in real time. Undefined if the hub waits for its clock. */
async function measurePauseEnds(context: ScenarioContext): Promise<PauseEnds[] | undefined> {
  const pauseEnds: PauseEnds[] = [];
  while (pauseEnds.length < 5) {
    const { callback } = await answerAttempts(context, [500]);
    await awaitFirstPush(context, callback);
    if (!(await context.come(callback, 5, noPausesMs))) {
      // A hub that waits for its clock makes only one attempt. Otherwise the machine may be busy, so wait longer.
      if (callback.arrivals.length < 2) return undefined;
      if (!(await context.come(callback, 5, Math.max(3 * noPausesMs, 40 * (await timeExchange(context))))))
        return undefined;
    }
    const arrivalTimes = callback.arrivals.slice(0, 5).map(({ at }) => at) as [number, number, number, number, number];
    pauseEnds.push({ first: arrivalTimes[1] - arrivalTimes[0], last: arrivalTimes[4] - arrivalTimes[3] });
  }
  return pauseEnds;
}

function growthsOf(pauseEnds: readonly PauseEnds[]): number[] {
  return pauseEnds.map(({ first, last }) => last / Math.max(minPauseMs, first));
}

/** For how many of five messages the pauses grow in real time. */
export type RealGrowth = "all" | "most" | "few";

/** Measures whether pauses grow in real time, while the clock is not moved. Undefined if the hub waits for its clock. */
export async function measureRealGrowth(context: ScenarioContext): Promise<RealGrowth | undefined> {
  const pauseEnds = await measurePauseEnds(context);
  if (pauseEnds === undefined) return undefined;
  const growths = growthsOf(pauseEnds);
  if (Math.min(...growths) >= 2) return "all";
  return median(growths) >= 2 ? "most" : "few";
}

/** Whether very short pauses in real time grow; undefined if only the duration of the attempts may grow. */
async function areGrowingQuickly(context: ScenarioContext): Promise<boolean | undefined> {
  const pauseEnds = await measurePauseEnds(context);
  if (pauseEnds === undefined) return undefined;
  if (median(pauseEnds.map(({ last }) => last)) < minPauseMs) return false;
  const firstPauses = pauseEnds.map(({ first }) => first);
  // A large difference between messages means that the machine is busy.
  const isConsistent = Math.max(...firstPauses) <= 2 * Math.min(...firstPauses);
  const isMeasured = isConsistent && median(firstPauses) >= 4 * minPauseMs;
  if (median(growthsOf(pauseEnds)) >= (isMeasured ? realFactor ** 3 : 2)) return true;
  return isMeasured ? false : undefined;
}

/** Whether the pauses only reflect how far the clock was moved. If so, the next attempt also arrives after half of a pause. */
export async function areClockJumps(context: ScenarioContext, gaps: readonly number[]): Promise<boolean> {
  const { callback } = await answerAttempts(context, [500]);
  await awaitFirstPush(context, callback);
  // A quarter passes by the moved clock, and at most another quarter in real time.
  const quarterMs = Math.min(...gaps) / 4;
  await context.pass(quarterMs);
  return context.come(callback, 2, Math.min(2 * boundOf(context, "moved-push"), quarterMs));
}
