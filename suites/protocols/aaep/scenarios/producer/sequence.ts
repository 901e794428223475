import type { Json, JsonObject, ScenarioContext, Violation } from "../../../../../schemas/index.ts";
import { type Event, eventOf, sortByCreation } from "../../rules/trace/event.ts";
import type { ArrivedMessage, Inbox } from "../subscribing/inbox.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { usualCapabilities } from "../subscribing/request.ts";
import { isThrottled, nameOf } from "./session.ts";

/** Which part of a subscription is judged. */
interface JudgedPart {
  /** All sent replies, if some were sent on another subscription. */
  answers?: Inbox["answers"];
  /** Whether a session is judged. Others may have begun before the subscription. */
  isOwnSession(session: string): boolean;
  /** Whether a session may still be running. */
  isPart?: boolean;
}

/** A breach of a rule. */
export interface SequenceBreach extends Violation {
  /** Set if it is not a breach if the missing events belong to types that the terms exclude. */
  isExcused?: true;
}

/** Includes events of extensions. By default they are excluded, so that their numbers are missing. */
const capabilities: JsonObject = { ...usualCapabilities, event_filters: { include: ["aaep:agent.*", "*"] } };

/** A subscription to all events, to be checked against the rules on sequences. */
export function openToAllEvents(context: ScenarioContext): Promise<OpenSubscription> {
  return openSubscription(context, { capabilities });
}

/** Reorders the arrivals of a subscription, so that the events of each session are in the order of creation. A critical event may have overtaken events that waited for the rate. */
function positionsByCreation({ arrivals }: Inbox): number[] {
  const bySession = new Map<unknown, Event[]>();
  for (const [index, { message }] of arrivals.entries()) {
    const event = eventOf({ index, at: "", from: "producer", on: "", time: undefined, message });
    if (event === undefined) continue;
    const sessionEvents = bySession.get(event.session);
    if (sessionEvents === undefined) bySession.set(event.session, [event]);
    else sessionEvents.push(event);
  }
  const sortedIndexes = new Map(
    [...bySession].map(([session, events]) => [session, sortByCreation(events).map(({ index }) => index)]),
  );
  return arrivals.map(({ message }, index) => sortedIndexes.get(message.session_id)?.shift() ?? index);
}

/**
 * Checks the events of sessions on a subscription, and the sent replies, against the rules on recordings. Returns a function that finds the most
 * serious breach of a rule. Undefined if a frame was unreadable, so that messages are missing.
 */
export async function breachesIn(
  context: ScenarioContext,
  subscription: OpenSubscription,
  { answers = subscription.inbox.answers, isOwnSession, isPart = false }: JudgedPart,
): Promise<((rule: string) => SequenceBreach | undefined) | undefined> {
  const { inbox, accepted } = subscription;
  if (inbox.faults.length > 0) return undefined;
  const entries: Json[] = [];
  const answersLeft = [...answers];
  const remaining = new Set(inbox.arrivals.keys());
  for (const position of isThrottled(subscription) ? positionsByCreation(inbox) : [...remaining]) {
    // A reply stays behind all events that had arrived before it.
    const [firstRemaining = 0] = remaining;
    while (answersLeft[0] !== undefined && answersLeft[0].after <= firstRemaining)
      entries.push({ from: "subscriber", message: (answersLeft.shift() as (typeof answersLeft)[number]).message });
    remaining.delete(position);
    const { message } = inbox.arrivals[position] as ArrivedMessage;
    if (isOwnSession(String(message.session_id))) entries.push({ from: "producer", message });
  }
  if (isPart) entries.push({ gap: "the story is over" });
  const violations = await context.violations("session", entries);
  // The last terms tell the rules which events are excluded. They say nothing about who may reply, so they come last.
  const terms: Json[] =
    accepted === undefined
      ? []
      : [
          { from: "subscriber", message: { type: "subscription.request", capabilities } },
          { from: "producer", message: accepted },
        ];
  const isNumberViolation = ({ rule }: Violation): boolean => rule === "AAEP-ENV-026";
  const numberViolations = violations.some(isNumberViolation)
    ? await context.violations("session", [...entries, ...terms])
    : [];
  return (rule) => {
    const ofRule = violations.filter((violation) => violation.rule === rule);
    const certain = ofRule.some(isNumberViolation) ? numberViolations.filter(isNumberViolation) : ofRule;
    const candidates = certain.length > 0 ? certain : ofRule;
    const worst = candidates.find(({ level }) => level === "MUST") ?? candidates[0];
    const entry = entries[Number(worst?.at.split("/")[1])] as { message?: Record<string, Json> } | undefined;
    const messageName =
      entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
    if (worst === undefined) return undefined;
    return { ...worst, why: `${messageName}: ${worst.why}`, ...(certain.length > 0 ? {} : { isExcused: true }) };
  };
}
