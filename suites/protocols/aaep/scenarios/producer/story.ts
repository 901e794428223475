import { setTimeout as sleep } from "node:timers/promises";
import {
  type HttpReply,
  isObject,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { shortenType } from "../../rules/event.ts";
import { boundOf, unscaledBound } from "../bounds.ts";
import type { Inbox } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { hasBegun, newcomers } from "../subscribing/newcomers.ts";
import { openLine } from "../subscribing/open.ts";
import { type SessionTask, words } from "../subscribing/tasks.ts";
import { movesActions } from "./lapse.ts";

/** A started session. */
export interface Story {
  context: ScenarioContext;
  line: Line;
  id: string;
}

/** A session with an open question. */
export interface AskedSession extends Story {
  question: JsonObject;
  token: string;
  /** The index of the question among the received messages. */
  at: number;
}

const prefix = "aaep:agent.";

/** The name of an event's type without its prefix, in either spelling. */
export function nameOf({ type }: JsonObject): string {
  const text = shortenType(String(type));
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

export function isEnd(event: JsonObject): boolean {
  return /^session\.(?:completed|errored|cancelled)$/.test(nameOf(event));
}

/** Starts a session by the hook, and waits for its first event. */
export async function beginSession(
  line: Line,
  context: ScenarioContext,
  task: SessionTask,
  more: JsonObject = {},
): Promise<Story> {
  const before = line.inbox.arrivals.length;
  const isNew = newcomers(context.setting);
  const started = await context.hook("start", { task, words: words[task], ...more });
  const givenId = typeof started.session_id === "string" ? started.session_id : undefined;
  const isStart = (event: JsonObject, index: number): boolean =>
    index >= before && nameOf(event) === "session.started" && isNew(event, false);
  const within = unscaledBound(context, "event");
  const first =
    givenId === undefined
      ? ((await line.inbox.seen((event, index) => isStart(event, index) && isNew(event, true), within)) ??
        // Also finds sessions with a wrong timestamp in the first event.
        (await line.inbox.seen(isStart, 0)))
      : await line.inbox.seen(
          ({ session_id: id, event_id: eventId }) => id === givenId && typeof eventId === "string",
          within,
        );
  if (first === undefined) throw new TargetFailure("timed-out", "events", "no event of the started session came");
  const id = String(first.session_id);
  line.inbox.begun.add(id);
  hasBegun(context.setting, id);
  return { context, line, id };
}

/**
 * The first wanted event of a session after some index, if it comes. If the index is after the session's question, the event must also have been made
 * after it, because a question overtakes events that wait for the rate.
 */
export function follow(
  story: Story | AskedSession,
  wanted: (event: JsonObject) => boolean,
  from = 0,
  milliseconds?: number,
): Promise<JsonObject | undefined> {
  const { line, id } = story;
  const question = "question" in story && from > story.at ? story.question : undefined;
  const isWanted = (event: JsonObject): boolean =>
    event.session_id === id && !(question !== undefined && isEarlier(line, event, question)) && wanted(event);
  return line.inbox.seen((event, index) => index >= from && isWanted(event), milliseconds);
}

/** Whether the events of a line may wait for a rate. */
export function isThrottled({ accepted }: Line): boolean {
  const { honored_capabilities: terms } = accepted ?? {};
  return isObject(terms) && terms.max_events_per_second !== undefined;
}

/** Whether an event that came after a question was made before it. With equal timestamps it may have been, if the events of its line wait for a rate. */
export function isEarlier(line: Line, event: JsonObject, question: JsonObject): boolean {
  const isNumbered = typeof event.sequence_number === "number";
  const mayWait =
    isThrottled(line) && !isNumbered && event.urgency !== "critical" && String(event.timestamp).includes(".");
  return isBefore(event, question) || (mayWait && event.timestamp === question.timestamp);
}

/** Whether an event was made before another one of its session, by their numbers or otherwise by their timestamps. */
export function isBefore(event: JsonObject, otherEvent: JsonObject): boolean {
  const [number, otherNumber] = [event.sequence_number, otherEvent.sequence_number];
  if (typeof number === "number" && typeof otherNumber === "number") return number < otherNumber;
  return Date.parse(String(event.timestamp)) < Date.parse(String(otherEvent.timestamp));
}

/** Starts a session and waits for its question. Skips if there is none. */
export async function beginAskedSession(
  line: Line,
  context: ScenarioContext,
  task: SessionTask,
  more: JsonObject = {},
): Promise<AskedSession> {
  const story = await beginSession(line, context, task, more);
  const question = await questionOf(story);
  if (question === undefined) {
    await mustBeAlive(context);
    throw new TargetSkip(`no question came in a session started for the task "${task}"`);
  }
  const asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
  // Otherwise an event that answers the next step could have the timestamp of the question, and count as an earlier one.
  if (isThrottled(line) && typeof question.sequence_number !== "number")
    await sleep(clockStep, undefined, { signal: context.signal });
  return asked;
}

/** The longest milliseconds between two values of a system clock. */
const clockStep = 20;

export function questionOf(story: Story, from = 0): Promise<JsonObject | undefined> {
  return follow(story, (event) => nameOf(event).startsWith("awaiting.") || isEnd(event), from).then((event) =>
    event === undefined || isEnd(event) ? undefined : event,
  );
}

export function indexOf({ arrivals }: Inbox, event: JsonObject): number {
  return arrivals.findIndex(({ message }) => message === event);
}

/** Makes a reply to a confirmation. */
export async function confirmation(
  { context, line, token }: AskedSession,
  decision: string,
  more: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { type: "confirmation.reply", reply_token: token, decision, subscription_id: line.id, timestamp, ...more };
}

export async function clarification(
  { context, line, token }: AskedSession,
  response: JsonObject[string],
  more: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { type: "clarification.reply", reply_token: token, response, subscription_id: line.id, timestamp, ...more };
}

/** Sends a reply; skips if the line cannot send one. */
export async function answer(
  line: Line,
  reply: JsonObject | string,
  as?: "a" | "b" | "nobody",
): Promise<HttpReply | undefined> {
  if (typeof reply !== "string") line.inbox.answers.push({ after: line.inbox.arrivals.length, message: reply });
  const httpReply = await line.send(reply, as);
  if (httpReply !== undefined && [404, 405, 501].includes(httpReply.status) && as === undefined)
    throw new TargetSkip(`replies cannot be sent: HTTP ${httpReply.status}`);
  return httpReply;
}

/** The events of a session on a line, without irrelevant ones. */
export function eventsOf({ inbox }: Line, session: string): JsonObject[] {
  return inbox.arrivals.map(({ message }) => message).filter(({ session_id: id }) => id === session);
}

/** Whether an event may show that a question is over: any event but progress, a further question and the waiting state. */
export function showsEnd(event: JsonObject): boolean {
  if (event.type === undefined || /^(?:progress|awaiting)\./.test(nameOf(event))) return false;
  return nameOf(event) !== "state.changed" || event.to_state !== "awaiting_input";
}

/** Whether an event shows that its question is over. A reversible call may be other work, which need not wait. */
export function showsGivenUp(event: JsonObject): boolean {
  return showsEnd(event) && (!nameOf(event).startsWith("tool.") || event.irreversible === true);
}

/** Waits until a session continues after its question; undefined if it does not. */
export function awaitContinuation(asked: AskedSession, milliseconds?: number): Promise<JsonObject | undefined> {
  return follow(asked, showsEnd, asked.at + 1, milliseconds);
}

/** The steps of the clock in milliseconds, for work that depends on it. */
const steps = [200, 1000, 2500];

/** Waits for the end of a session; its work may need time. */
export async function awaitEnd(
  story: Story,
  milliseconds: number = boundOf(story.context, "event"),
): Promise<JsonObject | undefined> {
  const { context } = story;
  if (await movesActions(context)) {
    const earlyEnd = await follow(story, isEnd, 0, Math.min(150, milliseconds));
    if (earlyEnd !== undefined) return earlyEnd;
    for (const step of steps) {
      await context.pass(step);
      const end = await follow(story, isEnd, 0, Math.min(50, milliseconds));
      if (end !== undefined) return end;
    }
  }
  return follow(story, isEnd, 0, milliseconds);
}

/** Runs another whole session; its end shows that all earlier messages were handled. */
export async function awaitFence(line: Line, context: ScenarioContext): Promise<void> {
  const fenceSession = await beginSession(line, context, "plain");
  if ((await awaitEnd(fenceSession, unscaledBound(context, "event"))) === undefined)
    throw new TargetFailure("timed-out", "events", "a plain session does not end");
}

/**
 * Like `awaitFence`, on a stream that was requested again. A producer may send its headers only with the first event, so the first session may end before
 * the request has arrived. Then a second one is run.
 */
export async function awaitFenceAgain(line: Line, context: ScenarioContext): Promise<void> {
  try {
    await awaitFence(line, context);
  } catch (error) {
    if (!(error instanceof TargetFailure && error.outcome === "timed-out")) throw error;
    await awaitFence(line, context);
  }
}

/** Throws if an event may be missing because the producer is down. */
export async function mustBeAlive(context: ScenarioContext): Promise<void> {
  await awaitFence(await openLine(context, { name: "another" }), context);
}

/**
 * Waits for an event that is due within some milliseconds, by default the bound of events. If it does not come, the producer must be alive, and the
 * event may have come by then: being late is not a breach.
 */
export async function waitForDue<T>(
  context: ScenarioContext,
  look: (milliseconds?: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const event = await look();
  if (event !== undefined) return event;
  await mustBeAlive(context);
  return look(0);
}

/**
 * Like `waitForDue`, for an event on one line, which may be slower than others. The event is missing if a later session ended on that line. Otherwise it may be in
 * transit, or the connection may have ended before it, and the scenario is skipped.
 */
export async function waitForDueOn<T>(
  line: Line,
  context: ScenarioContext,
  look: (milliseconds?: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const event = await waitForDue(context, look);
  if (event !== undefined) return event;
  if (line.inbox.isEnded()) throw new TargetSkip("its connection ended before the event came", { kind: "not-shown" });
  try {
    await awaitFence(line, context);
  } catch (error) {
    if (!(error instanceof TargetFailure && error.outcome === "timed-out")) throw error;
    const lateEvent = await look(0);
    if (lateEvent !== undefined) return lateEvent;
    throw new TargetSkip("neither the event nor later ones of its connection have come: it may be in transit", {
      kind: "not-shown",
    });
  }
  return look(0);
}

export type { SessionTask };
