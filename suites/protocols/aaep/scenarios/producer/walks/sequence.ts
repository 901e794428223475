import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { createBreachFinder } from "../sequence.ts";
import type { ProducerModel } from "./model.ts";

/** Rules about sequences that the messages of a walk can break. */
export const sequenceRules: readonly string[] = [
  "AAEP-ENV-012",
  "AAEP-ENV-017",
  "AAEP-ENV-026",
  "AAEP-ENV-027",
  "AAEP-LIFE-001",
  "AAEP-LIFE-002",
  "AAEP-LIFE-003",
  "AAEP-LIFE-004",
  "AAEP-LIFE-006",
  "AAEP-STATE-002",
  "AAEP-STATE-003",
  "AAEP-STRM-002",
  "AAEP-STRM-003",
  "AAEP-STRM-004",
  "AAEP-STRM-005",
  "AAEP-TOOL-004",
  "AAEP-TOOL-006",
  "AAEP-TOOL-007",
  "AAEP-TOOL-008",
  "AAEP-TOOL-009",
  "AAEP-TOOL-010",
  "AAEP-CONF-021",
  "AAEP-CONF-022",
  "AAEP-CONF-023",
  "AAEP-CONF-024",
  "AAEP-CONF-027",
  "AAEP-RPL-001",
];

/** Checks all received and sent messages against the rules on recordings. */
export async function judgeSequences(
  context: ScenarioContext,
  { subscription, sentReplies, fences }: ProducerModel,
  must: Must,
): Promise<void> {
  // Fence sessions are all alike, and sessions of an earlier walk may still be running.
  const isOwnSession = (id: string): boolean => subscription.inbox.startedSessions.has(id) && !fences.has(id);
  const findBreach = await createBreachFinder(context, subscription, { answers: sentReplies, isOwnSession });
  if (findBreach === undefined) return;
  for (const rule of sequenceRules) {
    const breach = findBreach(rule);
    must(rule, breach?.level !== "MUST" || breach.isExcused === true, breach?.why ?? "");
  }
}
