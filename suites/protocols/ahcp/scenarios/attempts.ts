import {
  type Arrival,
  type Callback,
  type JsonObject,
  missingNeeds,
  type Reaction,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { firstPush } from "./due-messages.ts";
import { timeExchange } from "./published.ts";
import { askWithPush, movesPauses, pushAgain } from "./pushes.ts";
import { redAnswer, resolveMessage } from "./steps.ts";

/** An ask that is answered, or ended otherwise, and pushed to a callback with these reactions. */
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

/** The failures before a push arrives: as many as any hub must survive (AHCP-DLV-004). */
export const failures: readonly Reaction[] = [503, 503, 503, 503, 200];

/** Skips rules about all attempts if fewer came than every hub must make: a later attempt may differ. */
export function skipUnseen(
  context: ScenarioContext,
  { arrivals }: Pick<Callback, "arrivals">,
  rules: readonly string[],
): void {
  if (arrivals.length >= failures.length) return;
  const why = `of ${failures.length} attempts, which any hub makes, ${arrivals.length} came: a later one may differ (a hook "clock" that moves pushes shortens the pauses)`;
  for (const rule of rules) context.skip(rule, why, missingNeeds("clock"));
}

/** The minimum factor between two pauses by the hub's clock, and between two in real time, which include the duration of requests. */
const [clockFactor, realFactor] = [1.5, 1.05];

/** The middle number, or the upper of two. */
function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/**
 * The milliseconds between attempts until the hub falls silent, and whether moving its clock triggered all of them. By that
 * clock, a pause is how far the clock was moved, regardless of the exchanges meanwhile. In real time, it is the time between two arrivals.
 */
export async function pauses(
  context: ScenarioContext,
  callback: Callback,
  maxAttempts: number,
  quiet: number,
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
    const coming = await pushAgain(context, callback, quiet, { growth: clockFactor, pass });
    if (coming === "never") break;
    areMoved &&= coming === "put-forward";
    gaps.push(Math.round(passedMs));
  }
  const real = arrivals.slice(1).map(({ at }, index) => Math.round(at - (arrivals[index] as Arrival).at));
  return { gaps: areMoved ? gaps : real, areMoved };
}

/** Why the growth of pauses is not judged. */
export const tooQuick = "the pauses are so short that only the duration of the attempts may grow";

/**
 * Whether the pauses between attempts grow; undefined if they are too short to tell. Random pauses of one message may not grow by chance, so
 * five messages decide.
 */
export async function areGrowing(
  context: ScenarioContext,
  { gaps, areMoved }: { gaps: readonly number[]; areMoved: boolean },
): Promise<boolean | undefined> {
  const last = (of: readonly number[]): number => of.at(-1) ?? 0;
  const seem = median(gaps.slice(2)) > realFactor * median(gaps.slice(0, 2));
  if (!areMoved && (await areQuick(context, gaps))) return areGrowingQuickly(context);
  // An attempt that is late by one step of the clock seems to come after a longer pause.
  if (!areMoved || (seem && last(gaps) > clockFactor * realFactor * (gaps[0] ?? 0))) return seem;
  const allGaps = [gaps];
  while (allGaps.length < 5) {
    const { callback } = await answerAttempts(context, [500]);
    await firstPush(context, callback);
    allGaps.push((await pauses(context, callback, 5, 48 * 3_600_000)).gaps);
  }
  return median(allGaps.map(last)) > realFactor * median(allGaps.map(([first = 0]) => first));
}

/** The real milliseconds that a hub without pauses needs for all of its attempts. */
const noPauses = 1000;

/** Whether the pauses may be only the duration of attempts, which on a busy machine is as long as a first push needs. */
async function areQuick(context: ScenarioContext, gaps: readonly number[]): Promise<boolean> {
  if (gaps.reduce((sum, gap) => sum + gap, 0) < noPauses) return true;
  const startedAt = performance.now();
  const { callback } = await answerAttempts(context, [200]);
  await firstPush(context, callback);
  return median(gaps) <= performance.now() - startedAt;
}

/** The minimum milliseconds of a pause: shorter ones show nothing about growth. */
const leastPause = 5;

/** The first and the last of four pauses in real time. */
interface PauseEnds {
  first: number;
  last: number;
}

/** The pauses of five messages while the clock is not moved; undefined for a hub that waits for its clock. */
async function realEnds(context: ScenarioContext): Promise<PauseEnds[] | undefined> {
  const pauseEnds: PauseEnds[] = [];
  while (pauseEnds.length < 5) {
    const { callback } = await answerAttempts(context, [500]);
    await firstPush(context, callback);
    if (!(await context.come(callback, 5, noPauses))) {
      // A hub that waits for its clock makes one attempt; a busy machine delays attempts without pauses.
      if (callback.arrivals.length < 2) return undefined;
      if (!(await context.come(callback, 5, Math.max(3 * noPauses, 40 * (await timeExchange(context))))))
        return undefined;
    }
    const arrivalTimes = callback.arrivals.slice(0, 5).map(({ at }) => at) as [number, number, number, number, number];
    pauseEnds.push({ first: arrivalTimes[1] - arrivalTimes[0], last: arrivalTimes[4] - arrivalTimes[3] });
  }
  return pauseEnds;
}

function growthsOf(pauseEnds: readonly PauseEnds[]): number[] {
  return pauseEnds.map(({ first, last }) => last / Math.max(leastPause, first));
}

/** The share of five messages with growing pauses in real time. */
export type RealGrowth = "all" | "most" | "few";

/**
 * Whether the pauses of a hub grow, if its attempts continue while its clock is not moved, judging by the times of arrival. Undefined
 * for a hub that waits for its clock.
 */
export async function realGrowth(context: ScenarioContext): Promise<RealGrowth | undefined> {
  const pauseEnds = await realEnds(context);
  if (pauseEnds === undefined) return undefined;
  const growths = growthsOf(pauseEnds);
  if (Math.min(...growths) >= 2) return "all";
  return median(growths) >= 2 ? "most" : "few";
}

/** Whether very short pauses in real time grow; undefined if only the duration of the attempts may grow. */
async function areGrowingQuickly(context: ScenarioContext): Promise<boolean | undefined> {
  const pauseEnds = await realEnds(context);
  if (pauseEnds === undefined) return undefined;
  if (median(pauseEnds.map(({ last }) => last)) < leastPause) return false;
  const firsts = pauseEnds.map(({ first }) => first);
  // A large difference between messages comes from attempts on a busy machine.
  const isEven = Math.max(...firsts) <= 2 * Math.min(...firsts);
  const isMeasured = isEven && median(firsts) >= 4 * leastPause;
  if (median(growthsOf(pauseEnds)) >= (isMeasured ? realFactor ** 3 : 2)) return true;
  return isMeasured ? false : undefined;
}

/** Whether pauses only reflect how far the clock was moved: if a hub polls, the next attempt also comes after half of that. */
export async function areJumps(context: ScenarioContext, gaps: readonly number[]): Promise<boolean> {
  const { callback } = await answerAttempts(context, [500]);
  await firstPush(context, callback);
  // Half of it may pass by the moved clock, and the rest in real time.
  const quarter = Math.min(...gaps) / 4;
  await context.pass(quarter);
  return context.come(callback, 2, Math.min(2 * boundOf(context, "moved-push"), quarter));
}
