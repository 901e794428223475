import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { detailsOfOthers, get, has, type Message, texts } from "./finding.ts";

/** Checks an escalation. */
export function* checkEscalation({ all, kind }: Message): Generator<TwinFinding> {
  if (kind === "error") yield* checkErrorReport(all);
  const involvedAgents = texts(all, "conflict_details", "agents_involved");
  const winner = get(all, "conflict_details", "suggested_winner");
  if (typeof winner === "string" && involvedAgents !== undefined && !involvedAgents.includes(winner))
    yield {
      rule: "CONV-ESC-008",
      at: "/conflict_details/suggested_winner",
      why: "is not involved",
      freedom: "esc-008",
    };
  for (const name of detailsOfOthers(all, kind))
    if (name !== `${all.category}_details`)
      yield {
        rule: "CONV-ESC-008",
        at: `/${name}`,
        why: "does not belong in this escalation",
        freedom: "esc-008-blocks",
      };
  const finding = (at: string, why: string): TwinFinding => ({ rule: "CONV-ESC-009", at, why, freedom: "esc-009" });
  if (has(all, "retry_after") && all.can_retry === false)
    yield finding("/retry_after", "is present although nothing can be retried");
  if (Number(all.retry_count) > Number(all.max_retries)) yield finding("/retry_count", "exceeds max_retries");
  for (const category of ["timeout", "conflict"])
    if (kind === category && all.category !== category) yield finding("/category", "differs from the message type");
  if (all.escalation_tier === 4 && all.requires_human === false) yield finding("/requires_human", "is false at tier 4");
}

function* checkErrorReport(all: Message["all"]): Generator<TwinFinding> {
  const finding = (at: string, freedom = "esc-007"): TwinFinding => ({
    rule: "CONV-ESC-007",
    at,
    why: "is missing",
    freedom,
  });
  for (const name of ["description", "suggested_action", "can_retry", "requires_human"])
    if (!has(all, name)) yield finding(`/${name}`);
  if (!has(all.context, "operation")) yield finding("/context/operation");
  for (const name of ["expected", "actual"])
    if (!has(all.context, name)) yield finding(`/context/${name}`, "esc-007-expected-actual");
}

/** Checks an acknowledgment. */
export function* checkAcknowledgment({ all, kind }: Message): Generator<TwinFinding> {
  const acknowledgedId = String(all.acknowledging_message_id);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(acknowledgedId))
    yield { rule: "CONV-ACK-001", at: "/acknowledging_message_id", why: "is not a UUID", freedom: "format-uuid" };
  if (has(all, "ack_level") && all.ack_level !== kind)
    yield { rule: "CONV-ACK-004", at: "/ack_level", why: "differs from the message type", freedom: "ack-004" };
  for (const name of detailsOfOthers(all, kind))
    yield { rule: "CONV-ACK-004", at: `/${name}`, why: `does not belong in ack.${kind}`, freedom: "ack-004" };
  if (kind === "refused" && !has(all, "refused_details"))
    yield { rule: "CONV-ACK-005", at: "/refused_details", why: "is missing", freedom: "ack-005" };
  if (acknowledgedId.toLowerCase() === String(all.message_id).toLowerCase())
    yield {
      rule: "CONV-ACK-006",
      at: "/acknowledging_message_id",
      why: "is the acknowledgment's own id",
      freedom: "ack-006-alone",
    };
}
