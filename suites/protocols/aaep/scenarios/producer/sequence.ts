import type { Json, JsonObject, ScenarioContext, Violation } from "../../../../../schemas/index.ts";
import type { Inbox } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { usualRequest } from "../subscribing/request.ts";
import { nameOf } from "./story.ts";

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

/**
 * Checks the events of sessions on a line, and the answers, against the rules on recordings. Returns the gravest breach of a rule, with
 * its words; undefined if a frame was unreadable, so that something is missing.
 */
export async function breachesIn(
  context: ScenarioContext,
  { inbox, accepted }: Line,
  { answers = inbox.answers, isOwn, isPart = false }: SequenceExtent,
): Promise<((rule: string) => SequenceBreach | undefined) | undefined> {
  if (inbox.faults.length > 0) return undefined;
  const entries: Json[] = [];
  for (const [index, { message }] of inbox.arrivals.entries()) {
    for (const answer of answers)
      if (answer.after === index) entries.push({ from: "subscriber", message: answer.message });
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
