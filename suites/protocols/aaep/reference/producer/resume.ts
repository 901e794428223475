import type { JsonObject } from "../../../../../schemas/index.ts";
import { offer } from "./emit.ts";
import type { Producer, ProducerPolicy, ProducerSession, Subscription } from "./model.ts";
import { state } from "./work.ts";

/** Sends a returning subscription the events that it missed, or a summary. */
export function reconnect(producer: Producer, subscription: Subscription, last: string): void {
  const { log, policy, sessions } = producer;
  const index = log.findIndex(({ event_id: id }) => id === last);
  if (index === -1) return;
  const running = [...sessions.values()].filter(({ ended }) => !ended);
  if (policy.resumes === "the state")
    for (const session of running) state(producer, session, "awaiting_input", "awaiting_input");
  else for (const event of chooseEvents(policy.resumes, log, index, running)) offer(producer, subscription, event);
}

/** The maximum number of repeated events. All events of a long run would delay the new ones. */
const mostRetold = 100;

/** Sends a new subscription the latest earlier events, unless its rate is limited. */
export function retell(producer: Producer, subscription: Subscription): void {
  const { log, policy } = producer;
  const isRated = policy.rate(subscription, [...producer.subscriptions.values()]) !== undefined;
  if (policy.retells === false || isRated) return;
  const isForAll = policy.retells === "questions, too";
  for (const event of log.slice(-mostRetold)) offer(producer, subscription, event, isForAll);
}

/** Chooses the events to repeat, given the index after which events were missed. */
function chooseEvents(
  resumes: ProducerPolicy["resumes"],
  log: readonly JsonObject[],
  at: number,
  running: readonly ProducerSession[],
): readonly JsonObject[] {
  const missed = log.slice(at + 1);
  switch (resumes) {
    case "nothing":
      return [];
    case "everything":
      return log.filter(({ session_id: id }) => id === log[at]?.session_id);
    case "its session":
      return missed.filter(({ session_id: id }) => id === log[at]?.session_id);
    case "all but the first":
      return missed.slice(1);
    case "all but questions":
      return missed.filter(({ type }) => !String(type).startsWith("aaep:agent.awaiting."));
    case "the last state":
      return running.flatMap(({ events }) => events.slice(Math.max(0, events.findLastIndex(isState))));
    default:
      return missed;
  }
}

function isState({ type }: JsonObject): boolean {
  return type === "aaep:agent.state.changed";
}
