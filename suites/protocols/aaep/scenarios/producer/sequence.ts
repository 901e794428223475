import type { Json, JsonObject, ScenarioContext, Violation } from "../../../../../schemas/index.ts";
import { type Event, eventOf, sortByCreation } from "../../rules/trace/event.ts";
import type { ArrivedMessage, Inbox } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { usualRequest } from "../subscribing/request.ts";
import { isThrottled, nameOf } from "./story.ts";

/** The part of a line to judge. */
interface SequenceExtent {
  /** The answers, if some were sent on another line. */
  answers?: Inbox["answers"];
  /** Whether the session began on this line: others may have begun before. */
  isOwn(session: string): boolean;
  /** A session may still be running. */
  isPart?: boolean;
}

/** A breach of a rule, or a breach unless the terms exclude some events. */
export interface SequenceBreach extends Violation {
  isExcused?: true;
}

/** Includes events of extensions: by default they are excluded, and their numbers missing. */
const capabilities: JsonObject = { ...usualRequest, event_filters: { include: ["aaep:agent.*", "*"] } };

/** A subscription to all events, to be checked against the rules on sequences. */
export function openAll(context: ScenarioContext): Promise<Line> {
  return openLine(context, { capabilities });
}

/** The places of the events of a line, with those of each session in the order of their making: a critical event may have overtaken events that waited for the rate. */
function placesMade({ arrivals }: Inbox): number[] {
  const bySession = new Map<unknown, Event[]>();
  for (const [index, { message }] of arrivals.entries()) {
    const event = eventOf({ index, at: "", from: "producer", on: "", time: undefined, message });
    if (event === undefined) continue;
    const own = bySession.get(event.session);
    if (own === undefined) bySession.set(event.session, [event]);
    else own.push(event);
  }
  const made = new Map(
    [...bySession].map(([session, events]) => [session, sortByCreation(events).map(({ index }) => index)]),
  );
  return arrivals.map(({ message }, index) => made.get(message.session_id)?.shift() ?? index);
}

/**
 * Checks the events of sessions on a line, and the answers, against the rules on recordings. Returns the gravest breach of a rule, with
 * its words; undefined if a frame was unreadable, so that something is missing.
 */
export async function breachesIn(
  context: ScenarioContext,
  line: Line,
  { answers = line.inbox.answers, isOwn, isPart = false }: SequenceExtent,
): Promise<((rule: string) => SequenceBreach | undefined) | undefined> {
  const { inbox, accepted } = line;
  if (inbox.faults.length > 0) return undefined;
  const entries: Json[] = [];
  const left = [...answers];
  const ahead = new Set(inbox.arrivals.keys());
  for (const place of isThrottled(line) ? placesMade(inbox) : [...ahead]) {
    // An answer stays behind all events that had come before it.
    const [first = 0] = ahead;
    while (left[0] !== undefined && left[0].after <= first)
      entries.push({ from: "subscriber", message: (left.shift() as (typeof left)[number]).message });
    ahead.delete(place);
    const { message } = inbox.arrivals[place] as ArrivedMessage;
    if (isOwn(String(message.session_id))) entries.push({ from: "producer", message });
  }
  if (isPart) entries.push({ gap: "the story is over" });
  const found = await context.violations("session", entries);
  // The last terms show the excluded events, but not who may reply.
  const terms: Json[] =
    accepted === undefined
      ? []
      : [
          { from: "subscriber", message: { type: "subscription.request", capabilities } },
          { from: "producer", message: accepted },
        ];
  const isNumber = ({ rule }: Violation): boolean => rule === "AAEP-ENV-026";
  const numbers = found.some(isNumber) ? await context.violations("session", [...entries, ...terms]) : [];
  return (rule) => {
    const all = found.filter((violation) => violation.rule === rule);
    const sure = all.some(isNumber) ? numbers.filter(isNumber) : all;
    const own = sure.length > 0 ? sure : all;
    const gravest = own.find(({ level }) => level === "MUST") ?? own[0];
    const entry = entries[Number(gravest?.at.split("/")[1])] as { message?: Record<string, Json> } | undefined;
    const where =
      entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
    if (gravest === undefined) return undefined;
    return { ...gravest, why: `${where}: ${gravest.why}`, ...(sure.length > 0 ? {} : { isExcused: true }) };
  };
}
