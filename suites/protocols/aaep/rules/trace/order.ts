import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { type Event, inOrderMade } from "./event.ts";
import { onRecording, type Recording } from "./recording.ts";

/** The ids and times of events, and their order of arrival. */
export const orderCheckers: readonly Checker[] = [
  onRecording("AAEP-ENV-012", findRepeatedIds),
  onRecording("AAEP-ENV-017", function* (recording) {
    for (const { before, event, other } of findStepsBack(recording)) {
      if (other === "producer")
        yield {
          at: `${event.at}/timestamp`,
          why: `is ${event.message.timestamp}, earlier than ${before.message.timestamp} of the event before`,
        };
    }
  }),
  onRecording("AAEP-TRN-003", function* (recording) {
    for (const { before, event, other } of findStepsBack(recording))
      if (other === "transport") yield { at: event.at, why: `was sent before ${before.id}, and arrives after it` };
  }),
];

/** An id belongs to one event: unchanged on the same subscription, and at most with other words on another one. */
function* findRepeatedIds({ streams }: Recording): Generator<Breach> {
  const anywhere = new Map<string, Event>();
  for (const { events } of streams) {
    const here = new Map<string, Event>();
    for (const event of events) {
      if (event.id === undefined) continue;
      const key = JSON.stringify([event.agent, event.id]);
      const known = here.get(key) ?? anywhere.get(key);
      if (known !== undefined && (here.has(key) || !isCopy(known, event)))
        yield { at: `${event.at}/event_id`, why: `is ${event.id}, the id of another event at ${known.at}` };
      here.set(key, event);
      if (!anywhere.has(key)) anywhere.set(key, event);
    }
  }
}

function isCopy({ message: one }: Event, { message: other }: Event): boolean {
  return ["type", "session_id", "timestamp"].every((name) => one[name] === other[name]);
}

/** Two adjacent events of one session with decreasing times, and the party at fault. */
interface StepBack {
  before: Event;
  event: Event;
  other: "producer" | "transport";
}

function* findStepsBack({ streams }: Recording): Generator<StepBack> {
  const orders = streams.map(
    ({ events }) => new Map(events.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index]]))),
  );
  /** Whether another subscription got the later event first. */
  const isOtherwise = (own: number, before: Event, event: Event): boolean =>
    orders.some((order, index) => {
      const [one, two] = [order.get(before.id ?? ""), order.get(event.id ?? "")];
      return index !== own && one !== undefined && two !== undefined && two < one;
    });
  const pairs = streams.flatMap(({ sessions, isThrottled }, own) =>
    sessions.flatMap(({ events }) =>
      [...consecutivePairs(isThrottled ? inOrderMade(events) : events)].map((pair) => [own, ...pair] as const),
    ),
  );
  for (const [own, before, event] of pairs) {
    if (before.stamp === undefined || event.stamp === undefined || before.stamp < event.stamp) continue;
    const isNumbered = before.number !== undefined && event.number !== undefined;
    const isTransport = isNumbered
      ? (before.number ?? 0) > (event.number ?? 0)
      : before.stamp > event.stamp && isOtherwise(own, before, event);
    const other = isTransport ? "transport" : "producer";
    yield* isTransport || before.stamp > event.stamp ? [{ before, event, other } as const] : [];
  }
}

/** Each event of an agent with the next one of the same agent. */
function* consecutivePairs(events: readonly Event[]): Generator<[before: Event, event: Event]> {
  const last = new Map<string, Event>();
  for (const event of events) {
    const before = last.get(event.agent);
    last.set(event.agent, event);
    if (before !== undefined) yield [before, event];
  }
}
