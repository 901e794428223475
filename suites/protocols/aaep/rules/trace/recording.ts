import { type Gap, readOnce, recordingOf, type Sent } from "../../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type Json } from "../../../../../schemas/index.ts";
import { type EventName, eventNames } from "../event.ts";
import { type Event, eventOf, withoutCopies, withoutRepeats } from "./event.ts";
import { sessionsOf, type TraceSession } from "./sessions.ts";
import { agreedMember, filtersOf, isExcluded, isIncluded, negotiatedTerms, type SubscriptionTerms } from "./terms.ts";

/** The events of one subscription, or of all subscriptions with each event once. */
export interface SubscriptionStream {
  sent: readonly Sent[];
  events: readonly Event[];
  sessions: readonly TraceSession[];
  /** The terms, each with the acceptance that put it in force. */
  terms: readonly AgreedTerms[];
  /** Whether filters may exclude events of these types. */
  excludes(...names: readonly EventName[]): boolean;
  /** Whether filters may exclude the given type, or, without one, any unknown type. By default, all extensions are excluded. */
  mayExclude(type?: string): boolean;
  /** Whether a rate may hold events back. */
  isThrottled: boolean;
  /** The number of gaps before a message. */
  eraAt(sent: Sent): number;
}

interface AgreedTerms {
  acceptance: Sent;
  terms: SubscriptionTerms;
}

export interface Recording {
  sent: readonly Sent[];
  streams: readonly SubscriptionStream[];
  /** The events of all subscriptions, each event once. */
  merged: SubscriptionStream;
  /** Whether the recording also contains messages of subscribers. */
  isTwoWay: boolean;
  /** The number of gaps in the recording. */
  gaps: number;
}

/** Makes a checker of a rule about recordings. */
export function onRecording(rule: string, check: (recording: Recording) => Iterable<Breach>): Checker {
  return { rule, documents: ["session"], check: (instance) => check(readTrace(instance)) };
}

/** Makes a checker of a rule about the sessions of each subscription. */
export function onSessions(
  rule: string,
  check: (session: TraceSession, stream: SubscriptionStream) => Iterable<Breach>,
): Checker {
  return onRecording(rule, function* ({ streams }) {
    for (const stream of streams) for (const session of stream.sessions) yield* check(session, stream);
  });
}

/** Makes a checker of a rule about events for which terms were agreed on. */
export function onTerms(rule: string, check: (event: Event, terms: SubscriptionTerms) => Iterable<Breach>): Checker {
  return onRecording(rule, function* ({ streams }) {
    for (const { events } of streams)
      for (const event of events) if (event.terms !== undefined) yield* check(event, event.terms);
  });
}

/** Reads a recording. The result is kept, because many rules read the same recording. */
const readTrace: (trace: Json) => Recording = readOnce(parseTrace);

/** Parses a recording. */
export function parseTrace(trace: Json): Recording {
  const { sent, gaps } = recordingOf(trace);
  const events = sent.flatMap((sentMessage) => eventOf(sentMessage) ?? []);
  const starts = new Map<string, number>();
  for (const { name, session, index } of events)
    if (name === "agent.session.started" && !starts.has(session)) starts.set(session, index);
  const eventsBySubscription = groupSent(events);
  const streams = [...groupSent(sent)].map(([subscription, sentOnStream]) => {
    const ownGaps = gaps.filter((gap) => gap.on === undefined || gap.on === subscription);
    const streamGaps = [...ownGaps, ...findClosings(sentOnStream)].sort((a, b) => a.index - b.index);
    const streamEvents = withoutRepeats(eventsBySubscription.get(subscription) ?? []);
    const streamTerms = [...negotiatedTerms(sentOnStream)];
    return streamOf({ sent: sentOnStream, events: streamEvents }, streamGaps, streamTerms, starts);
  });
  const terms = streams.flatMap((stream) => stream.terms);
  const [firstStream, ...otherStreams] = streams;
  const hasOneStream = firstStream !== undefined && otherStreams.length === 0;
  return {
    sent,
    streams,
    merged: hasOneStream ? firstStream : streamOf({ sent, events: withoutCopies(events) }, gaps, terms, starts),
    isTwoWay: sent.some(({ from }) => from === "subscriber"),
    gaps: gaps.length,
  };
}

function groupSent<T extends Sent>(sent: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const sentMessage of sent) {
    const group = groups.get(sentMessage.on);
    if (group === undefined) groups.set(sentMessage.on, [sentMessage]);
    else group.push(sentMessage);
  }
  return groups;
}

/** Finds the ends of a subscription. They count as gaps, because later events cannot arrive on it. */
function findClosings(sent: readonly Sent[]): Gap[] {
  let isLive = false;
  return sent.flatMap(({ index, message: { type } }) => {
    if (type === "subscription.accepted") isLive = true;
    const isEnd = type === "subscription.close" || (type === "subscription.rejected" && isLive);
    return isEnd ? [{ index }] : [];
  });
}

function streamOf(
  { sent, events }: Pick<SubscriptionStream, "sent" | "events">,
  gaps: readonly Gap[],
  terms: readonly AgreedTerms[],
  starts: ReadonlyMap<string, number>,
): SubscriptionStream {
  const eras = erasOf(sent, gaps);
  const placedEvents = addTerms(events, eras, terms);
  const isNegotiated = sent.some(
    ({ index, message: { type } }) =>
      index < (events[0]?.index ?? 0) && (type === "subscription.request" || type === "subscription.accepted"),
  );
  const sessions = sessionsOf(placedEvents, { starts, first: sent[0]?.index ?? 0, gaps: gaps.length, isNegotiated });
  // If the answer was not recorded, it may have granted the whole request.
  const knownTerms = terms.length > 0 ? terms.map((term) => term.terms) : sent.flatMap(termsRequestedIn);
  const filters = knownTerms.map(({ requested, honored }) => filtersOf(honored, requested));
  const excludedNames = eventNames.filter((name) =>
    filters.some((filter) => isExcluded(filter, `aaep:${name}`) || !isIncluded(filter, `aaep:${name}`)),
  );
  return {
    sent,
    events: placedEvents,
    sessions,
    terms,
    excludes: (...names) => names.some((name) => excludedNames.includes(name)),
    mayExclude: (type) =>
      filters.some(({ include = ["aaep:agent.*"], exclude }) => {
        if (type === undefined) return exclude.length > 0 || !include.includes("*");
        return isExcluded({ include, exclude }, type) || !isIncluded({ include, exclude }, type);
      }),
    eraAt: ({ index }) => eras.get(index) ?? 0,
    isThrottled: knownTerms.some(
      (subscriptionTerms) => typeof agreedMember(subscriptionTerms, "max_events_per_second") === "number",
    ),
  };
}

/** Returns the terms that a message requests. */
function termsRequestedIn({ from, message: { type, capabilities } }: Sent): SubscriptionTerms[] {
  const isRequest = from === "subscriber" && type === "subscription.request" && isObject(capabilities);
  return isRequest ? [{ requested: capabilities, honored: {} }] : [];
}

/** Counts the gaps before each message, by the index of the message. */
function erasOf(sent: readonly Sent[], gaps: readonly Gap[]): ReadonlyMap<number, number> {
  let era = 0;
  return new Map(
    sent.map(({ index }) => {
      while (era < gaps.length && (gaps[era] as Gap).index < index) era += 1;
      return [index, era];
    }),
  );
}

/** Adds to each event its era and the terms in force. */
function addTerms(events: readonly Event[], eras: ReadonlyMap<number, number>, terms: readonly AgreedTerms[]): Event[] {
  let agreements = 0;
  return events.map((event) => {
    while (agreements < terms.length && (terms[agreements] as AgreedTerms).acceptance.index < event.index)
      agreements += 1;
    return { ...event, era: eras.get(event.index) ?? 0, terms: terms[agreements - 1]?.terms };
  });
}
