import type { JsonObject } from "../../../../../schemas/index.ts";
import { agent, idFor, languages, type Producer, type ProducerSession, type Subscription, version } from "./model.ts";

const core = "https://aaep-protocol.org/context/v1";

/** The summaries of an event at three levels, made from its text. */
export function summaries(text: string): JsonObject {
  return { summary_terse: text.split(/[:,]/)[0] ?? text, summary_normal: text, summary_detailed: `${text} (in full)` };
}

/** Makes an event of a session, and sends it to every subscription that should get it. */
export function emit(producer: Producer, session: ProducerSession, name: string, payload: JsonObject): JsonObject {
  const event = producer.policy.event(
    {
      "@context": core,
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
  for (const subscription of producer.subscriptions.values()) offer(producer, subscription, event);
  return event;
}

/** Sends an event to a subscription now, later because of its rate, or never because of its filters. */
export function offer(producer: Producer, subscription: Subscription, event: JsonObject, isForAll = false): void {
  const { policy } = producer;
  const { terms } = subscription;
  const outlet = subscription.outlet ?? subscription.leftOpen;
  if (outlet === undefined) return;
  const isWanted = matches(terms.include, event.type) && !matches(terms.exclude, event.type);
  if (!policy.passes(subscription, event, isWanted)) return;
  const isQuestion = String(event.type).startsWith("aaep:agent.awaiting.");
  if (isQuestion && !isForAll && !policy.isAsked(subscription)) return;
  const isAfter = [...producer.questions.values()].some(({ session }) => session.id === event.session_id);
  if (isAfter && !policy.tells(subscription)) return;
  const said = localize(producer, subscription, event);
  const rate = policy.rate(subscription, [...producer.subscriptions.values()]);
  const isFree =
    rate === undefined ||
    !policy.isThrottled(subscription, event) ||
    (subscription.held.length === 0 && isWithin(producer, subscription, rate));
  if (isFree) outlet.send(said);
  else holdBack(producer, subscription, said);
}

/** Translates an event with words into the language that the subscription prefers. */
function localize(producer: Producer, subscription: Subscription, event: JsonObject): JsonObject {
  const { terms } = subscription;
  const hints = event.localization_hints;
  const own = producer.sessions.get(String(event.session_id))?.language;
  const language = producer.policy.language(terms.languages, own === undefined ? languages : [own]);
  return producer.policy.tailors(
    { ...event, localization_hints: { ...(hints as JsonObject), primary_language: language } },
    subscription,
  );
}

function isWithin(producer: Producer, { budget }: Subscription, rate: number): boolean {
  const now = producer.clock.now();
  budget.tokens = Math.min(producer.policy.burst(rate), budget.tokens + ((now - budget.since) / 1000) * rate);
  budget.since = now;
  if (budget.tokens < 1) return false;
  budget.tokens -= 1;
  return true;
}

/** Holds an event back until the rate allows it, joined with the previous chunk if possible. */
function holdBack(producer: Producer, subscription: Subscription, event: JsonObject): void {
  const { held } = subscription;
  const isChunk = event.type === "aaep:agent.output.streaming";
  const last = held.findLast(({ type, output_id: id }) => type === event.type && id === event.output_id);
  if (isChunk && !producer.policy.joins) {
    if (event.complete !== true) return;
  } else if (isChunk && last !== undefined) {
    Object.assign(last, { chunk: `${last.chunk}${event.chunk}`, complete: event.complete ?? false });
    return;
  }
  held.push(event);
  drain(producer, subscription);
}

function drain(producer: Producer, subscription: Subscription): void {
  if (subscription.draining !== undefined || subscription.held.length === 0) return;
  const rate = producer.policy.rate(subscription, [...producer.subscriptions.values()]);
  const wait = rate === undefined ? 0 : Math.ceil(1000 / rate);
  subscription.draining = producer.clock.after(wait, () => {
    delete subscription.draining;
    const outlet = subscription.outlet ?? subscription.leftOpen;
    if (outlet === undefined) return;
    while (subscription.held.length > 0 && (rate === undefined || isWithin(producer, subscription, rate)))
      outlet.send(subscription.held.shift() as JsonObject);
    drain(producer, subscription);
  });
}

function matches(patterns: readonly string[], type: unknown): boolean {
  const text = String(type);
  return patterns.some((pattern) => (pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : pattern === text));
}
