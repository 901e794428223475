import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf, unscaledBound } from "../bounds.ts";
import { clarification, confirmation, idFor, type Script, scriptOf } from "../producing/events.ts";
import { connectSubscriber, openTestStand, type Stand } from "../producing/test-stand.ts";

type SubscriberStory = Pick<Scenario, "name" | "says" | "rules" | "play"> & { needs?: readonly string[] };

/** A scenario that is played against a subscriber. */
export function toSubscriber({ needs = ["presented"], ...scenario }: SubscriberStory): Scenario {
  return { side: "subscriber", withinMs: 60_000, needs: ["connect", ...needs], ...scenario };
}

export interface SubscriberSession {
  context: ScenarioContext;
  producer: Stand;
  script: Script;
}

/** A text that was spoken or shown to the user. */
export interface PresentedText {
  event_id?: string;
  text: string;
  kind?: string;
}

/** Connects a subscriber to a producer of the suite, and starts a session. */
export async function connect(
  context: ScenarioContext,
  capabilities: JsonObject = {},
  grant: JsonObject = {},
): Promise<SubscriberSession> {
  const producer = await openTestStand(context, grant);
  await connectSubscriber(context, producer, capabilities);
  const script = scriptOf(context);
  producer.emit(script.event("session.started"));
  const session = { context, producer, script };
  if (context.has("presented")) await mustBeAlive(session);
  return session;
}

/** Emits an event of the session. */
export function sendEvent(
  { producer, script }: SubscriberSession,
  name: string,
  payload: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  const event = script.event(name, payload, more);
  producer.emit(event);
  return event;
}

/** Sends a question for consent or for information. */
export function sendQuestion(
  { producer, script, context }: SubscriberSession,
  kind: "confirmation" | "clarification" = "confirmation",
  more: JsonObject = {},
): JsonObject {
  const token = idFor(context, "rpl");
  const payload = kind === "confirmation" ? confirmation(token) : clarification(token);
  const event = script.event(`awaiting.${kind}`, payload, more);
  producer.emit(event);
  return event;
}

/** The texts shown to the user so far. */
export async function readShown(
  context: ScenarioContext,
): Promise<{ items: PresentedText[]; prompts: Json[]; notices: PresentedText[] | undefined }> {
  const { items, prompts, notices } = await context.hook("presented", {});
  const presentedTexts = (value: Json | undefined): PresentedText[] =>
    (Array.isArray(value) ? value : []).flatMap((each) =>
      typeof each === "string"
        ? [{ text: each }]
        : isObject(each)
          ? [{ ...each, text: String(each.text ?? "") } as PresentedText]
          : [],
    );
  return {
    items: presentedTexts(items),
    prompts: Array.isArray(prompts) ? prompts : [],
    notices: Array.isArray(notices) ? presentedTexts(notices) : undefined,
  };
}

/** The words that occur only in this event. */
export function wordsOf(event: JsonObject): string | undefined {
  return /words [a-z0-9 ]+\d+/.exec(String(event.summary_normal ?? event.chunk ?? ""))?.[0];
}

/** Whether a text belongs to an event: by its id, or by words that occur only in this event. */
export function isOf(event: JsonObject): (item: PresentedText) => boolean {
  const words = wordsOf(event);
  const { action, consequence } = event;
  // A question need not have a summary: its action and consequence also identify it.
  const namesAction = (text: string): boolean =>
    [action, consequence].every((each) => typeof each === "string" && text.includes(each));
  return ({ event_id: id, text }) =>
    id === undefined
      ? (words !== undefined && new RegExp(`${words}(?!\\d)`).test(text)) || namesAction(text)
      : id === event.event_id;
}

/** Waits until one of some events is presented. Returns the texts then, or undefined. */
export async function waitUntilPresented(
  context: ScenarioContext,
  event: JsonObject | readonly JsonObject[],
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<PresentedText[] | undefined> {
  const matchers = [event].flat().map(isOf);
  return pollFor(context, milliseconds, async () => {
    const { items } = await readShown(context);
    return items.some((item) => matchers.some((is) => is(item))) ? items : undefined;
  });
}

/** Polls until there is a result; undefined when time is up. */
async function pollFor<T>(
  context: ScenarioContext,
  milliseconds: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + milliseconds * Math.max(0.2, context.setting.timeScale ?? 1);
  for (let pause = 20; ; pause = Math.min(400, pause * 2)) {
    const result = await look();
    if (result !== undefined || performance.now() > end) return result;
    await sleep(pause, undefined, { signal: context.signal });
  }
}

/** Whether a question is among the questions that the user can answer. */
async function isListed(context: ScenarioContext, { event_id: id }: JsonObject): Promise<boolean> {
  return (await readShown(context)).prompts.some((prompt) => JSON.stringify(prompt).includes(String(id)));
}

/** Waits until a question can be answered: otherwise its removal cannot be seen. */
export async function waitUntilListed(context: ScenarioContext, event: JsonObject): Promise<boolean> {
  return (await pollFor(context, 500, async () => (await isListed(context, event)) || undefined)) === true;
}

/** Waits until a question can no longer be answered; false when time is up. */
export async function waitUntilUnprompted(
  context: ScenarioContext,
  event: JsonObject,
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<boolean> {
  return (await pollFor(context, milliseconds, async () => !(await isListed(context, event)) || undefined)) === true;
}

/** Sends a call and a start, and waits until one of them is presented. Every subscriber announces at least one of them, and all earlier events have been handled by then. */
export async function awaitFence(session: SubscriberSession): Promise<boolean> {
  const { context, producer } = session;
  const call = sendEvent(session, "tool.invoked", { tool_call_id: idFor(context, "call") });
  const start = scriptOf(context).event("session.started");
  producer.emit(start);
  return (await waitUntilPresented(context, [call, start], unscaledBound(context, "subscriber"))) !== undefined;
}

/** The number of consecutive ordinary events of each type that were not presented. */
const missedWaits = new WeakMap<Setting, Map<string, number>>();

/** Whether more than one ordinary event of a type was not presented. */
export function isRepeatedlyMissed({ context }: SubscriberSession, name: string): boolean {
  return (missedWaits.get(context.setting)?.get(name) ?? 0) > 1;
}

/** Whether an ordinary event of a type is presented. The wait is shorter if several were not. Throws if nothing is presented any more. */
export async function isPresented(session: SubscriberSession, name: string): Promise<boolean> {
  const { setting } = session.context;
  const missedByType = missedWaits.get(setting) ?? new Map<string, number>();
  missedWaits.set(setting, missedByType);
  const wait = isRepeatedlyMissed(session, name) ? 500 : undefined;
  const wasPresented = (await waitUntilPresented(session.context, sendEvent(session, name), wait)) !== undefined;
  missedByType.set(name, wasPresented ? 0 : (missedByType.get(name) ?? 0) + 1);
  if (!wasPresented) await mustBeAlive(session);
  return wasPresented;
}

/** Throws if the subscriber is down, because no other check reports that. */
export async function mustBeAlive(session: SubscriberSession): Promise<void> {
  if (!(await awaitFence(session)))
    throw new TargetFailure("timed-out", "presented", "the subscriber presents no events");
}

/**
 * The presented texts after an event was presented, however late. Undefined if a later event is presented and this one is not. Throws if
 * nothing is presented any more.
 */
export async function findPresented(
  session: SubscriberSession,
  event: JsonObject,
): Promise<PresentedText[] | undefined> {
  const presentedTexts = await waitUntilPresented(session.context, event);
  if (presentedTexts !== undefined) return presentedTexts;
  await mustBeAlive(session);
  return waitUntilPresented(session.context, event, 0);
}

/** Lets the user decide. Returns the reply, if one comes. */
export async function decideQuestion(
  session: SubscriberSession,
  event: JsonObject,
  decision: JsonObject,
): Promise<JsonObject | undefined> {
  const { producer, context } = session;
  const messagesBefore = producer.messages.length;
  await context.hook("decide", { event_id: event.event_id ?? "", reply_token: event.reply_token ?? "", ...decision });
  const findReply = (): JsonObject | undefined =>
    producer.messages.slice(messagesBefore).find(({ type }) => String(type).endsWith(".reply"));
  await producer.until(() => findReply() !== undefined);
  return findReply();
}

/** Asks a question that the user can answer. Skips if it is not presented. */
export async function promptQuestion(
  session: SubscriberSession,
  kind: "confirmation" | "clarification" = "confirmation",
): Promise<JsonObject> {
  const event = sendQuestion(session, kind);
  if (session.context.has("presented") && (await waitUntilPresented(session.context, event)) === undefined) {
    await mustBeAlive(session);
    throw new TargetSkip("the question is not presented, so it cannot be answered");
  }
  return event;
}

/** Starts another session of the same producer. */
export function startAnotherSession(session: SubscriberSession): SubscriberSession {
  const script = scriptOf(session.context);
  session.producer.emit(script.event("session.started"));
  return { ...session, script };
}
