import {
  type Arrival,
  type Callback,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { timeExchange } from "./published.ts";
import { askWithPush, movesAllPauses, movesPauses, pushNeeds } from "./pushes.ts";
import { resolveMessage } from "./steps.ts";

/** The state of a due push: it has arrived, it is missing, or it may still arrive. */
export type DuePushState = "arrived" | "missing" | "not-shown";

/** The delay of the last due push, measured in real time or by the target's clock. */
interface PushDelay {
  by: "time" | "clock";
  ms: number;
  /** The real milliseconds that passed meanwhile. Even if the clock was moved, the hub may have waited in real time. */
  real: number;
}

const lastDelays = new WeakMap<Setting, PushDelay>();

/** Delays measured with a separate message. For other pushes, a part of the delay may have passed before the wait began. */
const learnedDelays = new WeakMap<Setting, PushDelay>();

/** Settings of targets that did not send the last push within the bound. */
const silentTargets = new WeakSet<Setting>();

/** Longer than any hub waits before the first attempt, in milliseconds of the target's clock. */
const twoDaysMs = 48 * 3_600_000;

/** Advances the target's clock in doubling steps until a push arrives. Returns false if none arrives within the limit. */
async function moveClockUntilPush(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  { limitMs, startedAt }: { limitMs: number; startedAt: number },
): Promise<boolean> {
  for (let [step, passedMs] = [1000, 0]; passedMs < limitMs; step *= 2) {
    await context.pass(step);
    passedMs += step;
    if (!(await context.come(callback, count, 100))) continue;
    lastDelays.set(context.setting, { by: "clock", ms: passedMs, real: performance.now() - startedAt });
    return true;
  }
  return false;
}

async function waitForPush(context: ScenarioContext, callback: Callback, count: number): Promise<boolean> {
  const { setting } = context;
  const startedAt = performance.now();
  const lastDelay = lastDelays.get(setting);
  const arrivesWithin = async (milliseconds: number): Promise<boolean> => {
    if (!(await context.come(callback, count, milliseconds))) return false;
    const ms = performance.now() - startedAt;
    lastDelays.set(setting, { by: "time", ms, real: ms });
    return true;
  };
  const canMovePauses = await movesPauses(context);
  const firstWaitMs = lastDelay?.by === "clock" ? 100 : Math.max(1000, 4 * scaleTime(context, lastDelay?.ms ?? 0));
  if (await arrivesWithin(canMovePauses ? firstWaitMs : 1000)) return true;
  const canMoveAllPauses = canMovePauses && (await movesAllPauses(context));
  const limitMs = canMoveAllPauses ? twoDaysMs : boundOf(context, "first-push");
  if (canMovePauses && (await moveClockUntilPush(context, callback, count, { limitMs, startedAt }))) return true;
  // Even a push that is due by the clock arrives a moment later.
  const isShortWait = canMoveAllPauses || silentTargets.has(setting);
  const usualMs = lastDelay?.by === "time" ? 4 * scaleTime(context, lastDelay.ms) : 0;
  const hasArrived = await arrivesWithin(
    isShortWait ? Math.max(boundOf(context, "moved-push"), usualMs) : boundOf(context, "first-push"),
  );
  if (hasArrived) silentTargets.delete(setting);
  else if (!canMoveAllPauses) silentTargets.add(setting);
  return hasArrived;
}

/** Divides real milliseconds by the time scale, because waits multiply them by it. */
function scaleTime({ setting }: ScenarioContext, milliseconds: number): number {
  return milliseconds / (setting.timeScale ?? 1);
}

/** Whether the outcome of another message is pushed to its callback. */
async function isLaterPushDelivered(context: ScenarioContext): Promise<boolean> {
  const callback = await context.callback([200]);
  const { id } = await askWithPush(context, callback);
  await resolveMessage(context, id);
  return waitForPush(context, callback, 1);
}

/** Waits for a due push. It is missing if pushes of later messages arrive first, or after two days of the target's clock. */
export async function awaitDuePush(context: ScenarioContext, callback: Callback, count = 1): Promise<DuePushState> {
  const wasSilent = silentTargets.has(context.setting);
  if (await waitForPush(context, callback, count)) return "arrived";
  if ((await movesPauses(context)) && (await movesAllPauses(context))) return "missing";
  if (wasSilent || !["secret", "resolve"].every(context.has)) return "not-shown";
  silentTargets.delete(context.setting);
  // Wait for three pushes, because one may be quick by chance.
  for (let number = 0; number < 3; number++) if (!(await isLaterPushDelivered(context))) return "not-shown";
  const { ms = Number.POSITIVE_INFINITY } = lastDelays.get(context.setting) ?? {};
  const isLate = callback.arrivals.length >= count || ms > boundOf(context, "first-push") / 10;
  return isLate ? "not-shown" : "missing";
}

/** Waits for a due push, without judging a missing one. */
export function pushArrives(context: ScenarioContext, callback: Callback, count = 1): Promise<boolean> {
  return waitForPush(context, callback, count);
}

/** The reason to skip if a due push has not arrived. */
export function notYetReason(context: ScenarioContext): string {
  const seconds = boundOf(context, "first-push") / 1000;
  return `no push has arrived in ${seconds} s, and the specification sets no bound: a hub may begin later ("bounds": { "first-push": SECONDS } in the configuration waits longer)`;
}

/** Judges a rule by a due push. Returns whether it has arrived. */
export function judgeDue(context: ScenarioContext, rule: string, state: DuePushState, why: string): boolean {
  if (state === "not-shown") context.skip(rule, `${why}: ${notYetReason(context)}`);
  else context.expect(rule, state === "arrived", why);
  return state === "arrived";
}

/** Measures the delay of pushes if it is unknown, so that waits for forbidden pushes are long enough. Does not throw if a push is missing. */
export async function learnPushDelay(context: ScenarioContext): Promise<void> {
  if (learnedDelays.has(context.setting) || silentTargets.has(context.setting)) return;
  if (![...pushNeeds, "resolve"].every(context.has)) return;
  try {
    await isLaterPushDelivered(context);
    // If the clock triggered the first push, measure a second one: it shows whether the clock or real time triggers pushes.
    if (lastDelays.get(context.setting)?.by === "clock") await isLaterPushDelivered(context);
    const lastDelay = lastDelays.get(context.setting);
    if (lastDelay !== undefined) learnedDelays.set(context.setting, lastDelay);
  } catch (error) {
    if (!(error instanceof TargetSkip || error instanceof TargetFailure)) throw error;
  }
}

/** How long to wait, in real time and by the target's clock, to notice a forbidden push that is as late as other pushes. */
export function patienceOf(context: ScenarioContext): { real: number; byClock: number } {
  const { setting } = context;
  const { by, ms, real } = learnedDelays.get(setting) ?? lastDelays.get(setting) ?? { by: "time", ms: 0, real: 0 };
  return { real: scaleTime(context, 2 * real), byClock: by === "clock" ? 2 * ms : 0 };
}

/** Waits for the first push of a message. Throws a TargetSkip if none arrives, because other rules test that. */
export async function awaitFirstPush(context: ScenarioContext, callback: Callback): Promise<Arrival> {
  await pushArrives(context, callback);
  const [push] = callback.arrivals;
  if (push === undefined) throw new TargetSkip(notYetReason(context));
  return push;
}

/**
 * Lets this much time pass, and returns whether more than `count` pushes have arrived. Without a clock, it waits at most for the
 * bound `no-push`, or longer if other pushes were later than that.
 */
export async function morePushesArrive(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  time: number,
): Promise<boolean> {
  await learnPushDelay(context);
  const { real, byClock } = patienceOf(context);
  // If the delay of pushes is unknown, wait as long as for a first push.
  const totalMs = Math.max(time, byClock, learnedDelays.has(context.setting) ? 0 : boundOf(context, "first-push"));
  if (!(await movesPauses(context)))
    return context.come(callback, count + 1, Math.max(real, Math.min(time, boundOf(context, "no-push"))));
  for (let step = 500, passedMs = 0; passedMs < totalMs; passedMs += step, step *= 2) {
    await context.pass(step);
    const isLast = passedMs + step >= totalMs;
    const limitMs = isLast ? Math.max(60, real, 10 * (await timeExchange(context))) : 60;
    if (await context.come(callback, count + 1, limitMs)) return true;
  }
  return false;
}
