import type { JsonObject } from "../../../../../schemas/index.ts";
import { agent, idFor, languages, type Producer, type ProducerSession, type Subscription, version } from "./model.ts";

const coreContext = "https://aaep-protocol.org/context/v1";

/** Makes the three summaries of an event from one text. */
export function makeSummaries(text: string): JsonObject {
  return {
    summary_terse: text.split(/[:,]/)[0] ?? text,
    summary_normal: text,
    summary_detailed: `${text} (in full)`,
  };
}

/** Makes an event of a session, and sends it to every subscription that should receive it. */
export function emit(producer: Producer, session: ProducerSession, name: string, payload: JsonObject): JsonObject {
  const event = producer.policy.changeEvent(
    {
      "@context": coreContext,
      aaep_version: version,
      type: `aaep:agent.${name}`,
      event_id: idFor(producer, "evt"),
      session_id: session.id,
      sequence_number: session.events.length,
      timestamp: new Date(producer.clock.now()).toISOString(),
      producer: { ...agent, manifest_uri: producer.manifestUri },
      localization_hints: { primary_language: session.language ?? languages[0] },
      ...payload,
    },
    producer,
  );
  session.events.push(event);
  producer.log.push(event);
  for (const subscription of producer.subscriptions.values()) offerEvent(producer, subscription, event);
  return event;
}

/** Sends an event to a subscription now, later because of its rate, or never because of its filters. */
export function offerEvent(producer: Producer, subscription: Subscription, event: JsonObject, isForAll = false): void {
  const { policy } = producer;
  const { terms } = subscription;
  const outlet = subscription.outlet ?? subscription.leftOpen;
  if (outlet === undefined) return;
  const isWanted = matchesAny(terms.include, event.type) && !matchesAny(terms.exclude, event.type);
  if (!policy.delivers(subscription, event, isWanted)) return;
  const isQuestion = String(event.type).startsWith("aaep:agent.awaiting.");
  if (isQuestion && !isForAll && !policy.getsQuestions(subscription)) return;
  const isAfterQuestion = [...producer.questions.values()].some(({ session }) => session.id === event.session_id);
  if (isAfterQuestion && !policy.sendsAfterQuestion(subscription)) return;
  const localizedEvent = localize(producer, subscription, event);
  const rate = policy.rateFor(subscription, [...producer.subscriptions.values()]);
  const isSentNow =
    rate === undefined ||
    !policy.isThrottled(subscription, event) ||
    (subscription.heldEvents.length === 0 && useBudget(producer, subscription, rate));
  if (isSentNow) outlet.send(localizedEvent);
  else holdEvent(producer, subscription, localizedEvent);
}

/** Marks an event with the language that the subscription prefers. */
function localize(producer: Producer, subscription: Subscription, event: JsonObject): JsonObject {
  const { terms } = subscription;
  const hints = event.localization_hints;
  const sessionLanguage = producer.sessions.get(String(event.session_id))?.language;
  const language = producer.policy.chooseLanguage(
    terms.languages,
    sessionLanguage === undefined ? languages : [sessionLanguage],
  );
  return producer.policy.tailorEvent(
    { ...event, localization_hints: { ...(hints as JsonObject), primary_language: language } },
    subscription,
  );
}

function useBudget(producer: Producer, { budget }: Subscription, rate: number): boolean {
  const now = producer.clock.now();
  budget.tokens = Math.min(producer.policy.burstSize(rate), budget.tokens + ((now - budget.since) / 1000) * rate);
  budget.since = now;
  if (budget.tokens < 1) return false;
  budget.tokens -= 1;
  return true;
}

/** Holds an event back until the rate allows it, joined with the previous chunk if possible. */
function holdEvent(producer: Producer, subscription: Subscription, event: JsonObject): void {
  const { heldEvents } = subscription;
  const isChunk = event.type === "aaep:agent.output.streaming";
  const previousChunk = heldEvents.findLast(({ type, output_id: id }) => type === event.type && id === event.output_id);
  if (isChunk && !producer.policy.joinsChunks) {
    if (event.complete !== true) return;
  } else if (isChunk && previousChunk !== undefined) {
    Object.assign(previousChunk, { chunk: `${previousChunk.chunk}${event.chunk}`, complete: event.complete ?? false });
    return;
  }
  heldEvents.push(event);
  scheduleDraining(producer, subscription);
}

function scheduleDraining(producer: Producer, subscription: Subscription): void {
  if (subscription.stopDraining !== undefined || subscription.heldEvents.length === 0) return;
  const rate = producer.policy.rateFor(subscription, [...producer.subscriptions.values()]);
  const interval = rate === undefined ? 0 : Math.ceil(1000 / rate);
  subscription.stopDraining = producer.clock.after(interval, () => {
    delete subscription.stopDraining;
    const outlet = subscription.outlet ?? subscription.leftOpen;
    if (outlet === undefined) return;
    while (subscription.heldEvents.length > 0 && (rate === undefined || useBudget(producer, subscription, rate)))
      outlet.send(subscription.heldEvents.shift() as JsonObject);
    scheduleDraining(producer, subscription);
  });
}

function matchesAny(patterns: readonly string[], type: unknown): boolean {
  const typeName = String(type);
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? typeName.startsWith(pattern.slice(0, -1)) : pattern === typeName,
  );
}
