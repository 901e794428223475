import { type JsonObject, missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { clockMovesTimeouts } from "./passing-time.ts";
import { type AskedSession, awaitContinuation, awaitDueEvent, indexOf } from "./session.ts";

/** Whether a question expires so soon that the suite can wait in real time. */
function fitsRealTime(context: ScenarioContext, seconds: number): boolean {
  return seconds * 1000 <= boundOf(context, "timeout");
}

/** Returns the timeout of a question in seconds. Skips if the wait for it would be too long. */
export async function timeoutSecondsOf({ context, question }: AskedSession): Promise<number> {
  const seconds = Number(question.timeout_seconds);
  if (!fitsRealTime(context, seconds) && !(await clockMovesTimeouts(context)))
    throw new TargetSkip(
      `its questions stay open for ${seconds} s: the hook "start" can ask for less, or the hook "clock" move them`,
      missingNeeds("clock"),
    );
  return seconds;
}

/** Returns the maximum milliseconds between the deadline and the default: at least 5 % of the timeout. */
export function graceOf(context: ScenarioContext, seconds: number): number {
  return Math.max(boundOf(context, "default"), seconds * 50);
}

/** Lets time pass so that questions expire, with the clock if it moves their deadlines. */
export async function letDeadlinesApproach(context: ScenarioContext, milliseconds: number): Promise<void> {
  if (context.has("clock") && !(await clockMovesTimeouts(context)))
    await context.wait(milliseconds / Math.min(1, context.setting.timeScale ?? 1));
  else await context.pass(milliseconds);
}

/** Lets a question expire, and some more milliseconds pass. Skips if the wait for it would be too long. */
export async function expireQuestion(askedSession: AskedSession, extraMilliseconds: number): Promise<void> {
  await letDeadlinesApproach(askedSession.context, (await timeoutSecondsOf(askedSession)) * 1000 + extraMilliseconds);
}

/** Returns the real milliseconds to wait for the effect of a deadline. A timer that the clock does not move still has to run out (plus 5 %). */
export function maxDefaultWait(context: ScenarioContext, seconds: number): number {
  if (!context.has("clock") || !fitsRealTime(context, seconds)) return boundOf(context, "event");
  return boundOf(context, "event") + (seconds * 1050) / Math.min(1, context.setting.timeScale ?? 1);
}

/** The first event after the deadline of a question, and its delay. */
interface QuestionExpiry {
  event: JsonObject;
  /** Describes how late it was; undefined if it was in time. */
  delay: string | undefined;
  /** Describes a delay that the suite, or a timer that the clock did not move, may have caused. */
  apparentDelay?: string | undefined;
}

/**
 * Lets a question expire, and returns the first event after it. First moves the clock only to the deadline, so that
 * the clock itself does not cause a delay.
 */
async function awaitExpiry(askedSession: AskedSession): Promise<QuestionExpiry | undefined> {
  const { context } = askedSession;
  const seconds = await timeoutSecondsOf(askedSession);
  if (!(await clockMovesTimeouts(context))) {
    await expireQuestion(askedSession, graceOf(context, seconds));
    const event = await awaitContinuation(askedSession);
    return event === undefined ? undefined : { event, delay: describeDelay(askedSession, event, seconds) };
  }
  await context.pass(seconds * 1000 + 50);
  // Work after the deadline may not follow the clock, so the clock is not moved in the meantime.
  const earlyEvent = await awaitContinuation(
    askedSession,
    Math.min(boundOf(context, "event"), graceOf(context, seconds) + 500),
  );
  if (earlyEvent !== undefined) return { event: earlyEvent, delay: undefined };
  await context.pass(graceOf(context, seconds) - 50);
  const event = await awaitContinuation(askedSession, maxDefaultWait(context, seconds));
  if (event === undefined) return undefined;
  // If the real time is as long as the timeout, the clock did not move the timer.
  const [arrivedAt, askedAt] = [event, askedSession.question].map(
    (message) =>
      askedSession.subscription.inbox.arrivals[indexOf(askedSession.subscription.inbox, message)]?.arrivedAt ?? 0,
  ) as [number, number];
  const isUnmovedTimer = arrivedAt - askedAt >= seconds * 1000 - 500;
  const delay = describeDelay(askedSession, event, seconds);
  return isUnmovedTimer ? { event, delay: undefined, apparentDelay: delay } : { event, delay };
}

/** Like `awaitExpiry`, except that the delay of an event that arrives while the suite checks that the producer is alive counts as apparent. */
export function awaitExpiryOrLate(askedSession: AskedSession): Promise<QuestionExpiry | undefined> {
  return awaitDueEvent(askedSession.context, async (milliseconds) => {
    if (milliseconds === undefined) return awaitExpiry(askedSession);
    const event = await awaitContinuation(askedSession, milliseconds);
    if (event === undefined) return undefined;
    return {
      event,
      delay: undefined,
      apparentDelay: describeDelay(askedSession, event, await timeoutSecondsOf(askedSession)),
    };
  });
}

/** Describes the delay of an event by the producer's own timestamps. Undefined if it was in time. */
function describeDelay({ context, question }: AskedSession, event: JsonObject, seconds: number): string | undefined {
  const haveFractions = [event, question].every(({ timestamp }) => String(timestamp).includes("."));
  const elapsed = Date.parse(String(event.timestamp)) - Date.parse(String(question.timestamp));
  const isLate = elapsed > seconds * 1000 + graceOf(context, seconds) + (haveFractions ? 500 : 1500);
  return isLate ? `after ${elapsed / 1000} s` : undefined;
}
