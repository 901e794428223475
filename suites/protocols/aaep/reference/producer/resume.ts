import type { JsonObject } from "../../../../../schemas/index.ts";
import { offerEvent } from "./emit.ts";
import type { Producer, ProducerPolicy, ProducerSession, Subscription } from "./model.ts";
import { changeState } from "./work.ts";

/** Sends a reconnecting subscription the events that it missed, or a summary. */
export function reconnect(producer: Producer, subscription: Subscription, lastEventId: string): void {
  const { log, policy, sessions } = producer;
  const index = log.findIndex(({ event_id: id }) => id === lastEventId);
  if (index === -1) return;
  const runningSessions = [...sessions.values()].filter(({ hasEnded }) => !hasEnded);
  if (policy.resumesWith === "the state")
    for (const session of runningSessions) changeState(producer, session, "awaiting_input", "awaiting_input");
  else
    for (const event of chooseEvents(policy.resumesWith, log, index, runningSessions))
      offerEvent(producer, subscription, event);
}

/** The maximum number of repeated events. More would delay the new events after a long run. */
const maxRepeated = 100;

/** Sends a new subscription the latest earlier events, unless its rate is limited. */
export function repeatEarlierEvents(producer: Producer, subscription: Subscription): void {
  const { log, policy } = producer;
  const hasRateLimit = policy.rateFor(subscription, [...producer.subscriptions.values()]) !== undefined;
  if (policy.repeatsEarlierEvents === false || hasRateLimit) return;
  const isForAll = policy.repeatsEarlierEvents === "questions of others too";
  for (const event of log.slice(-maxRepeated)) offerEvent(producer, subscription, event, isForAll);
}

/** Chooses the events to repeat, given the index after which events were missed. */
function chooseEvents(
  resumption: ProducerPolicy["resumesWith"],
  log: readonly JsonObject[],
  lastSeenIndex: number,
  runningSessions: readonly ProducerSession[],
): readonly JsonObject[] {
  const missedEvents = log.slice(lastSeenIndex + 1);
  switch (resumption) {
    case "nothing":
      return [];
    case "everything":
      return log.filter(({ session_id: id }) => id === log[lastSeenIndex]?.session_id);
    case "its session":
      return missedEvents.filter(({ session_id: id }) => id === log[lastSeenIndex]?.session_id);
    case "all but the first":
      return missedEvents.slice(1);
    case "all but questions":
      return missedEvents.filter(({ type }) => !String(type).startsWith("aaep:agent.awaiting."));
    case "the last state":
      return runningSessions.flatMap(({ events }) => events.slice(Math.max(0, events.findLastIndex(isState))));
    default:
      return missedEvents;
  }
}

function isState({ type }: JsonObject): boolean {
  return type === "aaep:agent.state.changed";
}
