import type { Json, ScenarioContext, Violation } from "../../../../../schemas/index.ts";
import type { Inbox } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { nameOf } from "./story.ts";

/** What of a line is looked at. */
interface Extent {
  /** What was answered, where it was not all on this line. */
  answers?: Inbox["answers"];
  /** Whether a session was begun on this line: others may have been going on before. */
  isOwn(session: string): boolean;
  /** Some session may still go on. */
  isPart?: boolean;
}

/**
 * Holds the events of sessions on a line, and the answers, against the rules on recordings. Gives the gravest breach of a rule, with what
 * breaks it in its words. Undefined where a frame could not be read, so that something is missing.
 */
export async function breachesIn(
  context: ScenarioContext,
  { inbox }: Line,
  { answers = inbox.answers, isOwn, isPart = false }: Extent,
): Promise<((rule: string) => Violation | undefined) | undefined> {
  if (inbox.faults.length > 0) return undefined;
  const entries: Json[] = [];
  for (const [index, { message }] of inbox.arrivals.entries()) {
    for (const answer of answers)
      if (answer.after === index) entries.push({ from: "subscriber", message: answer.message });
    if (isOwn(String(message.session_id))) entries.push({ from: "producer", message });
  }
  if (isPart) entries.push({ gap: "the story is over" });
  const found = await context.violations("session", entries);
  return (rule) => {
    const own = found.filter((violation) => violation.rule === rule);
    const gravest = own.find(({ level }) => level === "MUST") ?? own[0];
    const entry = entries[Number(gravest?.at.split("/")[1])] as { message?: Record<string, Json> } | undefined;
    const where =
      entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
    return gravest === undefined ? undefined : { ...gravest, why: `${where}: ${gravest.why}` };
  };
}
