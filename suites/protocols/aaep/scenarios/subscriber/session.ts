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
import {
  clarificationPayload,
  confirmationPayload,
  createScript,
  idFor,
  type SessionScript,
} from "../producing/events.ts";
import { connectSubscriber, openTestStand, type TestStand } from "../producing/test-stand.ts";

type SubscriberPlay = Pick<Scenario, "name" | "says" | "rules" | "play"> & { needs?: readonly string[] };

/** Makes a scenario that is played against a subscriber, with the usual needs and time limit. */
export function toSubscriber({ needs = ["presented"], ...scenario }: SubscriberPlay): Scenario {
  return { side: "subscriber", withinMs: 60_000, needs: ["connect", ...needs], ...scenario };
}

export interface SubscriberSession {
  context: ScenarioContext;
  producer: TestStand;
  script: SessionScript;
}

/** A text that was spoken or shown to the user. */
export interface PresentedText {
  event_id?: string;
  text: string;
  kind?: string;
}

/** Connects a subscriber to a producer played by the suite, and starts a session. */
export async function connect(
  context: ScenarioContext,
  capabilities: JsonObject = {},
  grant: JsonObject = {},
): Promise<SubscriberSession> {
  const producer = await openTestStand(context, grant);
  await connectSubscriber(context, producer, capabilities);
  const script = createScript(context);
  producer.emit(script.event("session.started"));
  const session = { context, producer, script };
  if (context.has("presented")) await mustBeAlive(session);
  return session;
}

/** Sends an event of the session. */
export function sendEvent(
  { producer, script }: SubscriberSession,
  name: string,
  payload: JsonObject = {},
  replacements: JsonObject = {},
): JsonObject {
  const event = script.event(name, payload, replacements);
  producer.emit(event);
  return event;
}

/** Sends a question for consent or for information. */
export function sendQuestion(
  { producer, script, context }: SubscriberSession,
  kind: "confirmation" | "clarification" = "confirmation",
  replacements: JsonObject = {},
): JsonObject {
  const token = idFor(context, "rpl");
  const payload = kind === "confirmation" ? confirmationPayload(token) : clarificationPayload(token);
  const event = script.event(`awaiting.${kind}`, payload, replacements);
  producer.emit(event);
  return event;
}

/** Reads the texts that the user was shown so far. */
export async function readPresented(
  context: ScenarioContext,
): Promise<{ items: PresentedText[]; prompts: Json[]; notices: PresentedText[] | undefined }> {
  const { items, prompts, notices } = await context.hook("presented", {});
  const presentedTexts = (value: Json | undefined): PresentedText[] =>
    (Array.isArray(value) ? value : []).flatMap((item) => presentedTextOf(item) ?? []);
  return {
    items: presentedTexts(items),
    prompts: Array.isArray(prompts) ? prompts : [],
    notices: Array.isArray(notices) ? presentedTexts(notices) : undefined,
  };
}

function presentedTextOf(item: Json): PresentedText | undefined {
  if (typeof item === "string") return { text: item };
  return isObject(item) ? ({ ...item, text: String(item.text ?? "") } as PresentedText) : undefined;
}

/** Extracts the words that occur only in this event. */
export function wordsOf(event: JsonObject): string | undefined {
  return /words [a-z0-9 ]+\d+/.exec(String(event.summary_normal ?? event.chunk ?? ""))?.[0];
}

/** Returns a function that checks whether a text belongs to an event, by its id or by words that occur only in this event. */
export function matcherOf(event: JsonObject): (item: PresentedText) => boolean {
  const words = wordsOf(event);
  const { action, consequence } = event;
  // A question need not have a summary: its action and consequence also identify it.
  const namesAction = (text: string): boolean =>
    [action, consequence].every((part) => typeof part === "string" && text.includes(part));
  return ({ event_id: id, text }) =>
    id === undefined
      ? (words !== undefined && new RegExp(`${words}(?!\\d)`).test(text)) || namesAction(text)
      : id === event.event_id;
}

/** Waits until at least one of the events is presented. Returns the presented texts, or undefined if none of them was. */
export async function waitUntilPresented(
  context: ScenarioContext,
  event: JsonObject | readonly JsonObject[],
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<PresentedText[] | undefined> {
  const matchers = [event].flat().map(matcherOf);
  return pollFor(context, milliseconds, async () => {
    const { items } = await readPresented(context);
    return items.some((item) => matchers.some((matches) => matches(item))) ? items : undefined;
  });
}

/** Polls until there is a result. Undefined if there is none in time. */
async function pollFor<T>(
  context: ScenarioContext,
  milliseconds: number,
  findResult: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + milliseconds * Math.max(0.2, context.setting.timeScale ?? 1);
  for (let pause = 20; ; pause = Math.min(400, pause * 2)) {
    const result = await findResult();
    if (result !== undefined || performance.now() > deadline) return result;
    await sleep(pause, undefined, { signal: context.signal });
  }
}

/** Whether a question is among the questions that the user can answer. */
async function isPrompted(context: ScenarioContext, { event_id: id }: JsonObject): Promise<boolean> {
  return (await readPresented(context)).prompts.some((prompt) => JSON.stringify(prompt).includes(String(id)));
}

/** Waits until the user can answer a question, because only then can its removal be seen. */
export async function waitUntilPrompted(context: ScenarioContext, event: JsonObject): Promise<boolean> {
  return (await pollFor(context, 500, async () => (await isPrompted(context, event)) || undefined)) === true;
}

/** Waits until the user can no longer answer a question. Returns false if this does not happen in time. */
export async function waitUntilUnprompted(
  context: ScenarioContext,
  event: JsonObject,
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<boolean> {
  return (await pollFor(context, milliseconds, async () => !(await isPrompted(context, event)) || undefined)) === true;
}

/** Sends a call and a start, and waits until one of them is presented, as every subscriber must. By then it has handled all earlier events. */
export async function awaitFence(session: SubscriberSession): Promise<boolean> {
  const { context, producer } = session;
  const call = sendEvent(session, "tool.invoked", { tool_call_id: idFor(context, "call") });
  const start = createScript(context).event("session.started");
  producer.emit(start);
  return (await waitUntilPresented(context, [call, start], unscaledBound(context, "subscriber"))) !== undefined;
}

/** For each subscriber and type, the number of consecutive ordinary events that were not presented. */
const missedEventCounts = new WeakMap<Setting, Map<string, number>>();

/** Whether more than one ordinary event of a type was not presented. */
export function isRepeatedlyMissed({ context }: SubscriberSession, name: string): boolean {
  return (missedEventCounts.get(context.setting)?.get(name) ?? 0) > 1;
}

/** Whether an ordinary event of a type is presented. Waits less if several were not. Throws if the subscriber no longer presents events. */
export async function isPresented(session: SubscriberSession, name: string): Promise<boolean> {
  const { setting } = session.context;
  const missedByType = missedEventCounts.get(setting) ?? new Map<string, number>();
  missedEventCounts.set(setting, missedByType);
  const wait = isRepeatedlyMissed(session, name) ? 500 : undefined;
  const wasPresented = (await waitUntilPresented(session.context, sendEvent(session, name), wait)) !== undefined;
  missedByType.set(name, wasPresented ? 0 : (missedByType.get(name) ?? 0) + 1);
  if (!wasPresented) await mustBeAlive(session);
  return wasPresented;
}

/** Throws if the subscriber is down, because no other check reports that. */
export async function mustBeAlive(session: SubscriberSession): Promise<void> {
  if (!(await awaitFence(session)))
    throw new TargetFailure("timed-out", "presented", "the subscriber does not present events");
}

/**
 * Waits until an event is presented, however late, and returns the presented texts. Undefined if a later event is presented and this one is not.
 * Throws if the subscriber no longer presents events.
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

/** Lets the user decide a question. Returns the reply if one is sent. */
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
  await producer.waitUntil(() => findReply() !== undefined);
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
  const script = createScript(session.context);
  session.producer.emit(script.event("session.started"));
  return { ...session, script };
}
