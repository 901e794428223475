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

/** The state of a due push: it came, it is missing, or it has not come yet although no bound has ended. */
export type DuePushState = "came" | "missing" | "not-shown";

/** The delay of the last due push, in real milliseconds or on the target's clock. */
interface Habit {
  by: "time" | "clock";
  ms: number;
  /** The real milliseconds that passed although the clock was moved meanwhile. The hub may have waited for these. */
  real: number;
}

const habitsOfTargets = new WeakMap<Setting, Habit>();

/** Delays that were measured with a separate message. For other pushes, a part of the delay may have passed before the wait began. */
const learnedHabits = new WeakMap<Setting, Habit>();

/** Settings with a push that was missing until the bound ended. */
const silentTargets = new WeakSet<Setting>();

/** Longer than any hub waits before the first attempt, in milliseconds of the target's clock. */
const twoDaysMs = 48 * 3_600_000;

/** Moves the target's clock forward in doubling steps until a push comes; false if none comes within these milliseconds. */
async function moveClockUntilPush(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  { most: limitMs, begun: startedAt }: { most: number; begun: number },
): Promise<boolean> {
  for (let [step, passedMs] = [1000, 0]; passedMs < limitMs; step *= 2) {
    await context.pass(step);
    passedMs += step;
    if (!(await context.come(callback, count, 100))) continue;
    habitsOfTargets.set(context.setting, { by: "clock", ms: passedMs, real: performance.now() - startedAt });
    return true;
  }
  return false;
}

async function waitForPush(context: ScenarioContext, callback: Callback, count: number): Promise<boolean> {
  const { setting } = context;
  const startedAt = performance.now();
  const habit = habitsOfTargets.get(setting);
  const comesWithin = async (milliseconds: number): Promise<boolean> => {
    if (!(await context.come(callback, count, milliseconds))) return false;
    const ms = performance.now() - startedAt;
    habitsOfTargets.set(setting, { by: "time", ms, real: ms });
    return true;
  };
  const canMovePauses = await movesPauses(context);
  const firstWaitMs = habit?.by === "clock" ? 100 : Math.max(1000, 4 * scaleTime(context, habit?.ms ?? 0));
  if (await comesWithin(canMovePauses ? firstWaitMs : 1000)) return true;
  const canMoveAllPauses = canMovePauses && (await movesAllPauses(context));
  const limitMs = canMoveAllPauses ? twoDaysMs : boundOf(context, "first-push");
  if (canMovePauses && (await moveClockUntilPush(context, callback, count, { most: limitMs, begun: startedAt })))
    return true;
  // Even a push that is due by its clock needs a moment.
  const isShortWait = canMoveAllPauses || silentTargets.has(setting);
  const usualMs = habit?.by === "time" ? 4 * scaleTime(context, habit.ms) : 0;
  const hasCome = await comesWithin(
    isShortWait ? Math.max(boundOf(context, "moved-push"), usualMs) : boundOf(context, "first-push"),
  );
  if (hasCome) silentTargets.delete(setting);
  else if (!canMoveAllPauses) silentTargets.add(setting);
  return hasCome;
}

/** The real milliseconds of a scaled wait. */
function scaleTime({ setting }: ScenarioContext, milliseconds: number): number {
  return milliseconds / (setting.timeScale ?? 1);
}

/** Whether the outcome of a later message is pushed to its own callback. */
async function isLaterPushDelivered(context: ScenarioContext): Promise<boolean> {
  const callback = await context.callback([200]);
  const { id } = await askWithPush(context, callback);
  await resolveMessage(context, id);
  return waitForPush(context, callback, 1);
}

/** Waits for a due push, and returns its state. It is missing if it does not come while the push of a later message does, or within two days of its clock. */
export async function submitDue(context: ScenarioContext, callback: Callback, count = 1): Promise<DuePushState> {
  const wasSilent = silentTargets.has(context.setting);
  if (await waitForPush(context, callback, count)) return "came";
  if ((await movesPauses(context)) && (await movesAllPauses(context))) return "missing";
  if (wasSilent || !["secret", "resolve"].every(context.has)) return "not-shown";
  silentTargets.delete(context.setting);
  // The delays of three pushes are measured, since one may be quick by chance.
  for (let number = 0; number < 3; number++) if (!(await isLaterPushDelivered(context))) return "not-shown";
  const { ms = Number.POSITIVE_INFINITY } = habitsOfTargets.get(context.setting) ?? {};
  const isLate = callback.arrivals.length >= count || ms > boundOf(context, "first-push") / 10;
  return isLate ? "not-shown" : "missing";
}

/** Whether a due push has come, without judging a missing one. */
export function arrives(context: ScenarioContext, callback: Callback, count = 1): Promise<boolean> {
  return waitForPush(context, callback, count);
}

/** Why a push that has not come is not judged. */
export function whyNotYet(context: ScenarioContext): string {
  const seconds = boundOf(context, "first-push") / 1000;
  return `no push has come in ${seconds} s, and the specification sets no bound: a hub may begin later ("bounds": { "first-push": SECONDS } in the configuration waits longer)`;
}

/** Judges a rule by a due push; returns whether it came. */
export function judgeDue(context: ScenarioContext, rule: string, state: DuePushState, why: string): boolean {
  if (state === "not-shown") context.skip(rule, `${why}: ${whyNotYet(context)}`);
  else context.expect(rule, state === "came", why);
  return state === "came";
}

/** Learns the delay of pushes, if it is unknown, so that the wait for silence is long enough. Never throws because of a missing push. */
export async function learnHabit(context: ScenarioContext): Promise<void> {
  if (learnedHabits.has(context.setting) || silentTargets.has(context.setting)) return;
  if (![...pushNeeds, "resolve"].every(context.has)) return;
  try {
    await isLaterPushDelivered(context);
    // If the moved clock triggered the first push, it triggers the second immediately. Otherwise the real wait triggered the first.
    if (habitsOfTargets.get(context.setting)?.by === "clock") await isLaterPushDelivered(context);
    const habit = habitsOfTargets.get(context.setting);
    if (habit !== undefined) learnedHabits.set(context.setting, habit);
  } catch (error) {
    if (!(error instanceof TargetSkip || error instanceof TargetFailure)) throw error;
  }
}

/** How long to wait for a forbidden push, so that a push as late as the others is noticed: in real milliseconds, and in those of the target's clock. */
export function patienceOf(context: ScenarioContext): { real: number; byClock: number } {
  const { setting } = context;
  const { by, ms, real } = learnedHabits.get(setting) ?? habitsOfTargets.get(setting) ?? { by: "time", ms: 0, real: 0 };
  return { real: scaleTime(context, 2 * real), byClock: by === "clock" ? 2 * ms : 0 };
}

/** Waits for the first push of a message. Throws a TargetSkip if none comes, which another rule judges. */
export async function firstPush(context: ScenarioContext, callback: Callback): Promise<Arrival> {
  await arrives(context, callback);
  const [first] = callback.arrivals;
  if (first === undefined) throw new TargetSkip(whyNotYet(context));
  return first;
}

/** Lets this much time pass, and returns whether more than `count` pushes have come by then. Without a clock it lasts at most the bound `no-push`, unless pushes come later. */
export async function morePushesCome(
  context: ScenarioContext,
  callback: Callback,
  count: number,
  time: number,
): Promise<boolean> {
  await learnHabit(context);
  const { real, byClock } = patienceOf(context);
  // If no push can reach the suite, the delay of pushes is unknown: then silence lasts as long as a first push may need.
  const totalMs = Math.max(time, byClock, learnedHabits.has(context.setting) ? 0 : boundOf(context, "first-push"));
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
