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
export function toSubscriber({ needs = ["presented"], ...told }: SubscriberStory): Scenario {
  return { side: "subscriber", withinMs: 60_000, needs: ["connect", ...needs], ...told };
}

export interface ContextOptions {
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

/** Connects a subscriber, and begins a session. */
export async function options(
  context: ScenarioContext,
  more: JsonObject = {},
  granting: JsonObject = {},
): Promise<ContextOptions> {
  const producer = await openTestStand(context, granting);
  await connectSubscriber(context, producer, more);
  const script = scriptOf(context);
  producer.emit(script.event("session.started"));
  const given = { context, producer, script };
  if (context.has("presented")) await mustGoOn(given);
  return given;
}

/** Emits an event of the session. */
export function sendEvent(
  { producer, script }: ContextOptions,
  name: string,
  payload: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  const event = script.event(name, payload, more);
  producer.emit(event);
  return event;
}

/** Asks for consent, or for information. */
export function question(
  { producer, script, context }: ContextOptions,
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
  const list = (value: Json | undefined): PresentedText[] =>
    (Array.isArray(value) ? value : []).flatMap((each) =>
      typeof each === "string"
        ? [{ text: each }]
        : isObject(each)
          ? [{ ...each, text: String(each.text ?? "") } as PresentedText]
          : [],
    );
  return {
    items: list(items),
    prompts: Array.isArray(prompts) ? prompts : [],
    notices: Array.isArray(notices) ? list(notices) : undefined,
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
  /** The action and the consequence of a question serve as well as a summary, which it need not have. */
  const isSpoken = (text: string): boolean =>
    [action, consequence].every((each) => typeof each === "string" && text.includes(each));
  return ({ event_id: id, text }) =>
    id === undefined
      ? (words !== undefined && new RegExp(`${words}(?!\\d)`).test(text)) || isSpoken(text)
      : id === event.event_id;
}

/** Waits until one of some events is presented. Returns the texts then, or undefined. */
export async function waitUntilPresented(
  context: ScenarioContext,
  event: JsonObject | readonly JsonObject[],
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<PresentedText[] | undefined> {
  const wanted = [event].flat().map(isOf);
  return pollFor(context, milliseconds, async () => {
    const { items } = await readShown(context);
    return items.some((item) => wanted.some((is) => is(item))) ? items : undefined;
  });
}

/** The first result of repeated looks; undefined after the time. */
async function pollFor<T>(
  context: ScenarioContext,
  milliseconds: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + milliseconds * Math.max(0.2, context.setting.timeScale ?? 1);
  for (let pause = 20; ; pause = Math.min(400, pause * 2)) {
    const found = await look();
    if (found !== undefined || performance.now() > end) return found;
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

/** Waits until a question can no longer be answered; false after the time. */
export async function waitUntilUnprompted(
  context: ScenarioContext,
  event: JsonObject,
  milliseconds: number = boundOf(context, "subscriber"),
): Promise<boolean> {
  return (await pollFor(context, milliseconds, async () => !(await isListed(context, event)) || undefined)) === true;
}

/** Sends a call and a start; every subscriber announces at least one of them. After that, all earlier events were handled. */
export async function awaitFence(given: ContextOptions): Promise<boolean> {
  const { context, producer } = given;
  const call = sendEvent(given, "tool.invoked", { tool_call_id: idFor(context, "call") });
  const start = scriptOf(context).event("session.started");
  producer.emit(start);
  return (await waitUntilPresented(context, [call, start], unscaledBound(context, "subscriber"))) !== undefined;
}

/** The number of consecutive ordinary events of each type that were not presented. */
const missedWaits = new WeakMap<Setting, Map<string, number>>();

/** Whether more than one ordinary event of a type was not presented. */
export function isUnheard({ context }: ContextOptions, name: string): boolean {
  return (missedWaits.get(context.setting)?.get(name) ?? 0) > 1;
}

/** Whether an ordinary event of a type is presented, with a shorter wait if none was so far. Throws if nothing is presented any more. */
export async function isHeard(given: ContextOptions, name: string): Promise<boolean> {
  const { setting } = given.context;
  const known = missedWaits.get(setting) ?? new Map<string, number>();
  missedWaits.set(setting, known);
  const wait = isUnheard(given, name) ? 500 : undefined;
  const isThere = (await waitUntilPresented(given.context, sendEvent(given, name), wait)) !== undefined;
  known.set(name, isThere ? 0 : (known.get(name) ?? 0) + 1);
  if (!isThere) await mustGoOn(given);
  return isThere;
}

/** Throws if the subscriber is down, since no other check reports that. */
export async function mustGoOn(given: ContextOptions): Promise<void> {
  if (!(await awaitFence(given)))
    throw new TargetFailure("timed-out", "presented", "the subscriber presents no events");
}

/**
 * The texts once an event is presented, however late. The event is missing if a later event is presented and this one is not. Throws if
 * nothing is presented any more.
 */
export async function presentedAtAll(given: ContextOptions, event: JsonObject): Promise<PresentedText[] | undefined> {
  const soon = await waitUntilPresented(given.context, event);
  if (soon !== undefined) return soon;
  await mustGoOn(given);
  return waitUntilPresented(given.context, event, 0);
}

/** Lets the user decide. Returns the reply, if one comes. */
export async function decideQuestion(
  given: ContextOptions,
  event: JsonObject,
  decision: JsonObject,
): Promise<JsonObject | undefined> {
  const { producer, context } = given;
  const before = producer.messages.length;
  await context.hook("decide", { event_id: event.event_id ?? "", reply_token: event.reply_token ?? "", ...decision });
  const reply = (): JsonObject | undefined =>
    producer.messages.slice(before).find(({ type }) => String(type).endsWith(".reply"));
  await producer.until(() => reply() !== undefined);
  return reply();
}

/** Asks a question that the user can answer. Skips if it is not presented. */
export async function promptQuestion(
  given: ContextOptions,
  kind: "confirmation" | "clarification" = "confirmation",
): Promise<JsonObject> {
  const event = question(given, kind);
  if (given.context.has("presented") && (await waitUntilPresented(given.context, event)) === undefined) {
    await mustGoOn(given);
    throw new TargetSkip("the question is not presented, so it cannot be answered");
  }
  return event;
}

/** The same subscriber in another session of its producer. */
export function renewContext(given: ContextOptions): ContextOptions {
  const script = scriptOf(given.context);
  given.producer.emit(script.event("session.started"));
  return { ...given, script };
}
