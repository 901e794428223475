import type { Json, ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../scenarios/walks/index.ts";
import { nameOf } from "../story.ts";
import type { Model } from "./model.ts";

/** Rules about sequences that whatever went on a walk is held against. */
export const sequences: readonly string[] = [
  ...["AAEP-ENV-012", "AAEP-ENV-017", "AAEP-ENV-026", "AAEP-ENV-027"],
  ...["AAEP-LIFE-001", "AAEP-LIFE-002", "AAEP-LIFE-003", "AAEP-LIFE-004", "AAEP-LIFE-006"],
  ...["AAEP-STATE-002", "AAEP-STATE-003", "AAEP-STRM-002", "AAEP-STRM-003", "AAEP-STRM-004", "AAEP-STRM-005"],
  ...["AAEP-TOOL-004", "AAEP-TOOL-006", "AAEP-TOOL-007", "AAEP-TOOL-008", "AAEP-TOOL-009", "AAEP-TOOL-010"],
  ...["AAEP-CONF-021", "AAEP-CONF-022", "AAEP-CONF-023", "AAEP-CONF-024", "AAEP-CONF-027", "AAEP-RPL-001"],
];

/** Holds all that came, and all that was said, against the rules on recordings. */
export async function inSequence(context: ScenarioContext, { line, said, fences }: Model, must: Must): Promise<void> {
  // With a frame that could not be read something is missing.
  if (line.inbox.faults.length > 0) return;
  const entries: Json[] = [];
  for (const [index, { message }] of line.inbox.arrivals.entries()) {
    for (const [at, reply] of said) if (at === index) entries.push({ from: "subscriber", message: reply });
    // They are many, and all alike.
    if (!fences.has(String(message.session_id))) entries.push({ from: "producer", message });
  }
  const found = await context.violations("session", entries);
  for (const rule of sequences) {
    const each = found.find((violation) => violation.rule === rule && violation.level === "MUST");
    const entry = entries[Number(each?.at.split("/")[1])] as { message?: Record<string, Json> } | undefined;
    const where = entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id}`;
    must(rule, each === undefined, `${where}: ${each?.why}`);
  }
}
