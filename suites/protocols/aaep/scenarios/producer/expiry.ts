import { type JsonObject, missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { movesTimeouts } from "./lapse.ts";
import { type AskedSession, awaitContinuation, indexOf, waitForDue } from "./story.ts";

/** Whether a question expires so soon that the suite waits in real time. */
function isShort(context: ScenarioContext, seconds: number): boolean {
  return seconds * 1000 <= boundOf(context, "timeout");
}

/** The seconds for which a question stays open. Skips if the wait would be too long. */
export async function secondsOf({ context, question }: AskedSession): Promise<number> {
  const seconds = Number(question.timeout_seconds);
  if (!isShort(context, seconds) && !(await movesTimeouts(context)))
    throw new TargetSkip(
      `its questions stay open for ${seconds} s: the hook "start" can ask for less, or the hook "clock" move them`,
      missingNeeds("clock"),
    );
  return seconds;
}

/** The maximum milliseconds between the deadline and the default. */
export function grace(context: ScenarioContext, seconds: number): number {
  return Math.max(boundOf(context, "default"), seconds * 50);
}

/** Lets time pass for questions to expire, with the clock if it moves their deadlines. */
export async function elapse(context: ScenarioContext, milliseconds: number): Promise<void> {
  if (context.has("clock") && !(await movesTimeouts(context)))
    await context.wait(milliseconds / Math.min(1, context.setting.timeScale ?? 1));
  else await context.pass(milliseconds);
}

/** Lets a question expire, and some more milliseconds pass. Skips if the wait would be too long. */
export async function expire(asked: AskedSession, more: number): Promise<void> {
  await elapse(asked.context, (await secondsOf(asked)) * 1000 + more);
}

/** The real milliseconds to wait for the effect of a deadline: a timer that the clock does not move still has to run. */
export function untilDue(context: ScenarioContext, seconds: number): number {
  if (!context.has("clock") || !isShort(context, seconds)) return boundOf(context, "event");
  return boundOf(context, "event") + (seconds * 1050) / Math.min(1, context.setting.timeScale ?? 1);
}

/** The first event after the deadline of a question. */
interface QuestionExpiry {
  event: JsonObject;
  /** How late it was; undefined if it was in time. */
  late: string | undefined;
  /** How late it seems to be, if that may be due to the suite, or to a timer that the clock did not move. */
  seeming?: string | undefined;
}

/**
 * Lets a question expire. Returns the first event after it; undefined if none came. The clock is first moved only to
 * the deadline, so that the clock itself causes no delay.
 */
async function awaitExpiry(asked: AskedSession): Promise<QuestionExpiry | undefined> {
  const { context } = asked;
  const seconds = await secondsOf(asked);
  if (!(await movesTimeouts(context))) {
    await expire(asked, grace(context, seconds));
    const event = await awaitContinuation(asked);
    return event === undefined ? undefined : { event, late: lateness(asked, event, seconds) };
  }
  await context.pass(seconds * 1000 + 50);
  // Work after the deadline need not follow the clock, so the clock stays unchanged in the meantime.
  const soon = await awaitContinuation(asked, Math.min(boundOf(context, "event"), grace(context, seconds) + 500));
  if (soon !== undefined) return { event: soon, late: undefined };
  await context.pass(grace(context, seconds) - 50);
  const event = await awaitContinuation(asked, untilDue(context, seconds));
  if (event === undefined) return undefined;
  // A timer that the clock does not move has run for the whole timeout.
  const [came, since] = [event, asked.question].map(
    (each) => asked.line.inbox.arrivals[indexOf(asked.line.inbox, each)]?.at ?? 0,
  ) as [number, number];
  const isLeftBehind = came - since >= seconds * 1000 - 500;
  const late = lateness(asked, event, seconds);
  return isLeftBehind ? { event, late: undefined, seeming: late } : { event, late };
}

/** The same, but an event that comes while the suite checks that the producer is alive only seems late. */
export function dueAtLast(asked: AskedSession): Promise<QuestionExpiry | undefined> {
  return waitForDue(asked.context, async (milliseconds) => {
    if (milliseconds === undefined) return awaitExpiry(asked);
    const event = await awaitContinuation(asked, milliseconds);
    if (event === undefined) return undefined;
    return { event, late: undefined, seeming: lateness(asked, event, await secondsOf(asked)) };
  });
}

/** The delay of an event by the producer's own timestamps; undefined if it was in time. */
function lateness({ context, question }: AskedSession, next: JsonObject, seconds: number): string | undefined {
  const isExact = [next, question].every(({ timestamp }) => String(timestamp).includes("."));
  const waited = Date.parse(String(next.timestamp)) - Date.parse(String(question.timestamp));
  const isLate = waited > seconds * 1000 + grace(context, seconds) + (isExact ? 500 : 1500);
  return isLate ? `after ${waited / 1000} s` : undefined;
}
