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
  answers?: Inbox["sentReplies"];
  /** Whether a session is judged. Others may have begun before the subscription. */
  isOwnSession(session: string): boolean;
  /** Whether a session may still be running. */
  mayBeIncomplete?: boolean;
}

/** A breach of a rule. */
export interface SequenceBreach extends Violation {
  /** Set if the terms may exclude the missing events, so that there may be no breach. */
  isExcused?: true;
}

/** Includes events of extensions, because their numbers would otherwise be missing from the sequence. */
const capabilities: JsonObject = { ...usualCapabilities, event_filters: { include: ["aaep:agent.*", "*"] } };

/** Opens a subscription to all events, to be checked against the rules on sequences. */
export function openToAllEvents(context: ScenarioContext): Promise<OpenSubscription> {
  return openSubscription(context, { capabilities });
}

/** Orders the positions of all arrivals so that each session's events are in the order of creation. A critical event may have overtaken events that waited for the rate. */
function positionsByCreation({ arrivals }: Inbox): number[] {
  const eventsBySession = new Map<unknown, Event[]>();
  for (const [index, { message }] of arrivals.entries()) {
    const event = eventOf({ index, at: "", from: "producer", on: "", time: undefined, message });
    if (event === undefined) continue;
    const sessionEvents = eventsBySession.get(event.session);
    if (sessionEvents === undefined) eventsBySession.set(event.session, [event]);
    else sessionEvents.push(event);
  }
  const sortedIndexes = new Map(
    [...eventsBySession].map(([session, events]) => [session, sortByCreation(events).map(({ index }) => index)]),
  );
  return arrivals.map(({ message }, index) => sortedIndexes.get(message.session_id)?.shift() ?? index);
}

/**
 * Checks the events of sessions on a subscription, and the sent replies, against the rules on recordings. Returns a function that finds the most
 * serious breach of a rule. Undefined if a frame was unreadable, so that messages are missing.
 */
export async function createBreachFinder(
  context: ScenarioContext,
  subscription: OpenSubscription,
  { answers = subscription.inbox.sentReplies, isOwnSession, mayBeIncomplete = false }: JudgedPart,
): Promise<((rule: string) => SequenceBreach | undefined) | undefined> {
  const { inbox, accepted } = subscription;
  if (inbox.faults.length > 0) return undefined;
  const entries: Json[] = [];
  const remainingAnswers = [...answers];
  const remainingPositions = new Set(inbox.arrivals.keys());
  for (const position of isThrottled(subscription) ? positionsByCreation(inbox) : [...remainingPositions]) {
    // A reply is recorded after all events that had arrived before it.
    const [firstPosition = 0] = remainingPositions;
    while (remainingAnswers[0] !== undefined && remainingAnswers[0].after <= firstPosition)
      entries.push({
        from: "subscriber",
        message: (remainingAnswers.shift() as (typeof remainingAnswers)[number]).message,
      });
    remainingPositions.delete(position);
    const { message } = inbox.arrivals[position] as ArrivedMessage;
    if (isOwnSession(String(message.session_id))) entries.push({ from: "producer", message });
  }
  if (mayBeIncomplete) entries.push({ gap: "the session may be incomplete" });
  const violations = await context.violations("session", entries);
  // The terms show which events are excluded. They do not show who may reply, so they are appended last.
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
    const ruleViolations = violations.filter((violation) => violation.rule === rule);
    const certainViolations = ruleViolations.some(isNumberViolation)
      ? numberViolations.filter(isNumberViolation)
      : ruleViolations;
    const candidates = certainViolations.length > 0 ? certainViolations : ruleViolations;
    const worstViolation = candidates.find(({ level }) => level === "MUST") ?? candidates[0];
    const entry = entries[Number(worstViolation?.at.split("/")[1])] as { message?: Record<string, Json> } | undefined;
    const messageName =
      entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
    if (worstViolation === undefined) return undefined;
    return {
      ...worstViolation,
      why: `${messageName}: ${worstViolation.why}`,
      ...(certainViolations.length > 0 ? {} : { isExcused: true }),
    };
  };
}
