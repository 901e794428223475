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
import { noteStartedSession, recognizeNewSessions } from "../subscribing/known-sessions.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { type SessionTask, taskRequests } from "../subscribing/tasks.ts";
import { clockCompletesActions } from "./passing-time.ts";

/** A started session. */
export interface StartedSession {
  context: ScenarioContext;
  subscription: OpenSubscription;
  id: string;
}

/** A session with an open question. */
export interface AskedSession extends StartedSession {
  question: JsonObject;
  token: string;
  /** The index of the question among the received messages. */
  arrivalIndex: number;
}

const agentPrefix = "aaep:agent.";

/** Returns the name of a core event without its prefix, in either spelling, or the whole type of any other event. */
export function nameOf({ type }: JsonObject): string {
  const shortType = shortenType(String(type));
  return shortType.startsWith(agentPrefix) ? shortType.slice(agentPrefix.length) : shortType;
}

export function isEnd(event: JsonObject): boolean {
  return /^session\.(?:completed|errored|cancelled)$/.test(nameOf(event));
}

/** Starts a session with the hook, and waits for its first event. */
export async function beginSession(
  subscription: OpenSubscription,
  context: ScenarioContext,
  task: SessionTask,
  startOptions: JsonObject = {},
): Promise<StartedSession> {
  const { inbox } = subscription;
  const arrivalsBefore = inbox.arrivals.length;
  const isFromNewSession = recognizeNewSessions(context.setting);
  const startAnswer = await context.hook("start", { task, words: taskRequests[task], ...startOptions });
  const hookId = typeof startAnswer.session_id === "string" ? startAnswer.session_id : undefined;
  const isStart = (event: JsonObject, index: number): boolean =>
    index >= arrivalsBefore && nameOf(event) === "session.started" && isFromNewSession(event, false);
  const isNewStart = (event: JsonObject, index: number): boolean =>
    isStart(event, index) && isFromNewSession(event, true);
  const isFromHookSession = ({ session_id: id, event_id: eventId }: JsonObject): boolean =>
    id === hookId && typeof eventId === "string";
  const timeout = unscaledBound(context, "event");
  // Without an id, the first event of the session may also have a wrong timestamp.
  const firstEvent =
    hookId === undefined
      ? ((await inbox.waitFor(isNewStart, timeout)) ?? (await inbox.waitFor(isStart, 0)))
      : await inbox.waitFor(isFromHookSession, timeout);
  if (firstEvent === undefined)
    throw new TargetFailure("timed-out", "events", "no event of the started session arrived");
  const id = String(firstEvent.session_id);
  inbox.startedSessions.add(id);
  noteStartedSession(context.setting, id);
  return { context, subscription, id };
}

/**
 * Waits for the first matching event of a session from an index on. If the index is after the session's question, the event must also have been
 * created after the question, which may overtake events that wait for the rate.
 */
export function findEvent(
  session: StartedSession | AskedSession,
  matches: (event: JsonObject) => boolean,
  fromIndex = 0,
  milliseconds?: number,
): Promise<JsonObject | undefined> {
  const { subscription, id } = session;
  const question = "question" in session && fromIndex > session.arrivalIndex ? session.question : undefined;
  const isMatch = (event: JsonObject): boolean =>
    event.session_id === id && !(question !== undefined && mayPrecede(subscription, event, question)) && matches(event);
  return subscription.inbox.waitFor((event, index) => index >= fromIndex && isMatch(event), milliseconds);
}

/** Whether the events of a subscription may wait for a rate. */
export function isThrottled({ accepted }: OpenSubscription): boolean {
  const { honored_capabilities: terms } = accepted ?? {};
  return isObject(terms) && terms.max_events_per_second !== undefined;
}

/** Whether an event that arrived after a question may have been created before it. If events wait for a rate, this is also possible with equal timestamps. */
export function mayPrecede(subscription: OpenSubscription, event: JsonObject, question: JsonObject): boolean {
  const isNumbered = typeof event.sequence_number === "number";
  const mayWait =
    isThrottled(subscription) && !isNumbered && event.urgency !== "critical" && String(event.timestamp).includes(".");
  return isBefore(event, question) || (mayWait && event.timestamp === question.timestamp);
}

/** Whether an event was created before another one of its session, by their numbers or else by their timestamps. */
export function isBefore(event: JsonObject, otherEvent: JsonObject): boolean {
  const [number, otherNumber] = [event.sequence_number, otherEvent.sequence_number];
  if (typeof number === "number" && typeof otherNumber === "number") return number < otherNumber;
  return Date.parse(String(event.timestamp)) < Date.parse(String(otherEvent.timestamp));
}

/** Starts a session and waits for its question. Skips if there is no question. */
export async function beginAskedSession(
  subscription: OpenSubscription,
  context: ScenarioContext,
  task: SessionTask,
  startOptions: JsonObject = {},
): Promise<AskedSession> {
  const session = await beginSession(subscription, context, task, startOptions);
  const question = await awaitQuestion(session);
  if (question === undefined) {
    await mustBeAlive(context);
    throw new TargetSkip(`no question arrived in a session started for the task "${task}"`);
  }
  const askedSession = withQuestion(session, question);
  // Without this pause, the next event could have the timestamp of the question, and count as an earlier one.
  if (isThrottled(subscription) && typeof question.sequence_number !== "number")
    await sleep(clockStep, undefined, { signal: context.signal });
  return askedSession;
}

/** Adds a received question to its session. */
export function withQuestion(session: StartedSession, question: JsonObject): AskedSession {
  const arrivalIndex = indexOf(session.subscription.inbox, question);
  return { ...session, question, token: String(question.reply_token), arrivalIndex };
}

/** The maximum milliseconds between two successive values of a system clock. */
const clockStep = 20;

export function awaitQuestion(session: StartedSession, fromIndex = 0): Promise<JsonObject | undefined> {
  return findEvent(session, (event) => nameOf(event).startsWith("awaiting.") || isEnd(event), fromIndex).then(
    (event) => (event === undefined || isEnd(event) ? undefined : event),
  );
}

export function indexOf({ arrivals }: Inbox, event: JsonObject): number {
  return arrivals.findIndex(({ message }) => message === event);
}

/** Makes a reply to a confirmation. */
export async function makeConfirmation(
  { context, subscription, token }: AskedSession,
  decision: string,
  extraMembers: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return {
    type: "confirmation.reply",
    reply_token: token,
    decision,
    subscription_id: subscription.id,
    timestamp,
    ...extraMembers,
  };
}

export async function makeClarification(
  { context, subscription, token }: AskedSession,
  response: JsonObject[string],
  extraMembers: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return {
    type: "clarification.reply",
    reply_token: token,
    response,
    subscription_id: subscription.id,
    timestamp,
    ...extraMembers,
  };
}

/** Sends a reply. Skips if the producer does not receive replies. */
export async function sendReply(
  subscription: OpenSubscription,
  reply: JsonObject | string,
  caller?: "a" | "b" | "nobody",
): Promise<HttpReply | undefined> {
  if (typeof reply !== "string")
    subscription.inbox.sentReplies.push({ after: subscription.inbox.arrivals.length, message: reply });
  const httpReply = await subscription.send(reply, caller);
  if (httpReply !== undefined && [404, 405, 501].includes(httpReply.status) && caller === undefined)
    throw new TargetSkip(`replies cannot be sent: HTTP ${httpReply.status}`);
  return httpReply;
}

/** Lists the events of a session on a subscription. */
export function eventsOf({ inbox }: OpenSubscription, session: string): JsonObject[] {
  return inbox.arrivals.map(({ message }) => message).filter(({ session_id: id }) => id === session);
}

/** Whether an event may show that a question is over. Progress, a further question and the waiting state do not. */
export function mayEndQuestion(event: JsonObject): boolean {
  if (event.type === undefined || /^(?:progress|awaiting)\./.test(nameOf(event))) return false;
  return nameOf(event) !== "state.changed" || event.to_state !== "awaiting_input";
}

/** Whether an event shows that its question is over. A reversible call does not, because other work need not wait. */
export function endsQuestion(event: JsonObject): boolean {
  return mayEndQuestion(event) && (!nameOf(event).startsWith("tool.") || event.irreversible === true);
}

/** Waits for an event that shows that a session has continued after its question. */
export function awaitContinuation(askedSession: AskedSession, milliseconds?: number): Promise<JsonObject | undefined> {
  return findEvent(askedSession, mayEndQuestion, askedSession.arrivalIndex + 1, milliseconds);
}

/** The steps in milliseconds by which the clock is moved for work that depends on it. */
const clockSteps = [200, 1000, 2500];

/** Waits for the end of a session. If its work depends on the clock, the clock is moved. */
export async function awaitEnd(
  session: StartedSession,
  milliseconds: number = boundOf(session.context, "event"),
): Promise<JsonObject | undefined> {
  const { context } = session;
  if (await clockCompletesActions(context)) {
    const earlyEnd = await findEvent(session, isEnd, 0, Math.min(150, milliseconds));
    if (earlyEnd !== undefined) return earlyEnd;
    for (const step of clockSteps) {
      await context.pass(step);
      const end = await findEvent(session, isEnd, 0, Math.min(50, milliseconds));
      if (end !== undefined) return end;
    }
  }
  return findEvent(session, isEnd, 0, milliseconds);
}

/** Runs another session to its end, which shows that all earlier messages were handled. */
export async function awaitFence(subscription: OpenSubscription, context: ScenarioContext): Promise<void> {
  const fenceSession = await beginSession(subscription, context, "plain");
  if ((await awaitEnd(fenceSession, unscaledBound(context, "event"))) === undefined)
    throw new TargetFailure("timed-out", "events", "a plain session does not end");
}

/**
 * Like `awaitFence`, on a stream that was requested again. A producer may send its headers only with the first event, so the session may end before
 * the request has arrived. If so, a second one is run.
 */
export async function awaitFenceAgain(subscription: OpenSubscription, context: ScenarioContext): Promise<void> {
  try {
    await awaitFence(subscription, context);
  } catch (error) {
    if (!(error instanceof TargetFailure && error.outcome === "timed-out")) throw error;
    await awaitFence(subscription, context);
  }
}

/** Throws if the producer is down, so that a missing event is not evidence. */
export async function mustBeAlive(context: ScenarioContext): Promise<void> {
  await awaitFence(await openSubscription(context, { name: "another" }), context);
}

/**
 * Waits for an event that is due, by default within the bound of events. If it does not arrive, checks that the producer is
 * alive, and then looks for the event once more, because a late event is not a breach.
 */
export async function awaitDueEvent<T>(
  context: ScenarioContext,
  awaitEvent: (milliseconds?: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const event = await awaitEvent();
  if (event !== undefined) return event;
  await mustBeAlive(context);
  return awaitEvent(0);
}

/**
 * Like `awaitDueEvent`, for an event on one subscription, which may be slower than others. The event is missing if a later session ends on that
 * subscription. Otherwise the event may be in transit, or its connection may have ended, and the scenario is skipped.
 */
export async function awaitDueEventOn<T>(
  subscription: OpenSubscription,
  context: ScenarioContext,
  awaitEvent: (milliseconds?: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const event = await awaitDueEvent(context, awaitEvent);
  if (event !== undefined) return event;
  if (subscription.inbox.isEnded())
    throw new TargetSkip("its connection ended before the event arrived", { kind: "not-shown" });
  try {
    await awaitFence(subscription, context);
  } catch (error) {
    if (!(error instanceof TargetFailure && error.outcome === "timed-out")) throw error;
    const lateEvent = await awaitEvent(0);
    if (lateEvent !== undefined) return lateEvent;
    throw new TargetSkip("neither the event nor later ones of its connection have arrived: it may be in transit", {
      kind: "not-shown",
    });
  }
  return awaitEvent(0);
}

export type { SessionTask };
