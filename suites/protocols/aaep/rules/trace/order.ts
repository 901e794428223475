import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { type Event, sortByCreation } from "./event.ts";
import { onRecording, type Recording } from "./recording.ts";

/** Checks of the ids and times of events, and of their order of arrival. */
export const orderCheckers: readonly Checker[] = [
  onRecording("AAEP-ENV-012", findRepeatedIds),
  onRecording("AAEP-ENV-017", function* (recording) {
    for (const { previousEvent, event, cause } of findStepsBack(recording)) {
      if (cause === "producer")
        yield {
          at: `${event.at}/timestamp`,
          why: `is ${event.message.timestamp}, earlier than ${previousEvent.message.timestamp} of the previous event`,
        };
    }
  }),
  onRecording("AAEP-TRN-003", function* (recording) {
    for (const { previousEvent, event, cause } of findStepsBack(recording))
      if (cause === "transport")
        yield { at: event.at, why: `was sent before ${previousEvent.id}, but arrived after it` };
  }),
];

/** Finds ids that several events share. The copies of an event on several subscriptions may differ in their texts. */
function* findRepeatedIds({ streams }: Recording): Generator<Breach> {
  const eventsOfAllStreams = new Map<string, Event>();
  for (const { events } of streams) {
    const eventsOfStream = new Map<string, Event>();
    for (const event of events) {
      if (event.id === undefined) continue;
      const key = JSON.stringify([event.agent, event.id]);
      const earlierEvent = eventsOfStream.get(key) ?? eventsOfAllStreams.get(key);
      if (earlierEvent !== undefined && (eventsOfStream.has(key) || !isCopy(earlierEvent, event)))
        yield { at: `${event.at}/event_id`, why: `is ${event.id}, the id of another event at ${earlierEvent.at}` };
      eventsOfStream.set(key, event);
      if (!eventsOfAllStreams.has(key)) eventsOfAllStreams.set(key, event);
    }
  }
}

function isCopy({ message }: Event, { message: otherMessage }: Event): boolean {
  return ["type", "session_id", "timestamp"].every((name) => message[name] === otherMessage[name]);
}

/** Two successive events of a session with decreasing times, and who is at fault. */
interface StepBack {
  previousEvent: Event;
  event: Event;
  cause: "producer" | "transport";
}

function* findStepsBack({ streams }: Recording): Generator<StepBack> {
  const indexesByStream = streams.map(
    ({ events }) => new Map(events.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index]]))),
  );
  /** Whether another subscription received the later event first. */
  const arrivedInReverse = (ownStreamIndex: number, previousEvent: Event, event: Event): boolean =>
    indexesByStream.some((order, index) => {
      const [previousIndex, eventIndex] = [order.get(previousEvent.id ?? ""), order.get(event.id ?? "")];
      return (
        index !== ownStreamIndex &&
        previousIndex !== undefined &&
        eventIndex !== undefined &&
        eventIndex < previousIndex
      );
    });
  const pairs = streams.flatMap(({ sessions, isThrottled }, streamIndex) =>
    sessions.flatMap(({ events }) =>
      [...consecutivePairs(isThrottled ? sortByCreation(events) : events)].map(
        (pair) => [streamIndex, ...pair] as const,
      ),
    ),
  );
  for (const [streamIndex, previousEvent, event] of pairs) {
    if (previousEvent.stamp === undefined || event.stamp === undefined || previousEvent.stamp < event.stamp) continue;
    const isNumbered = previousEvent.number !== undefined && event.number !== undefined;
    const isReordered = isNumbered
      ? (previousEvent.number ?? 0) > (event.number ?? 0)
      : previousEvent.stamp > event.stamp && arrivedInReverse(streamIndex, previousEvent, event);
    const cause = isReordered ? "transport" : "producer";
    if (isReordered || previousEvent.stamp > event.stamp) yield { previousEvent, event, cause };
  }
}

/** Pairs each event of an agent with the next one of the same agent. */
function* consecutivePairs(events: readonly Event[]): Generator<[before: Event, event: Event]> {
  const lastByAgent = new Map<string, Event>();
  for (const event of events) {
    const previousEvent = lastByAgent.get(event.agent);
    lastByAgent.set(event.agent, event);
    if (previousEvent !== undefined) yield [previousEvent, event];
  }
}
