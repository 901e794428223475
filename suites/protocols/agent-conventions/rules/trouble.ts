import type { Checker } from "../../../../schemas/index.ts";
import { member, specificOf, textAt, textsAt } from "./messages.ts";

const documents = ["escalation"] as const;

const completenessChecker: Checker = {
  rule: "CONV-ESC-007",
  documents,
  *check(message) {
    if (specificOf(message) !== "error") return;
    for (const name of ["description", "suggested_action", "can_retry", "requires_human"])
      if (member(message, name) === undefined) yield { at: "", why: `reports an error without ${name}` };
    const context = member(message, "context");
    for (const name of ["operation", "expected", "actual"])
      if (member(context, name) === undefined)
        yield { at: context === undefined ? "" : "/context", why: `reports an error without ${name}` };
  },
};

const blocksChecker: Checker = {
  rule: "CONV-ESC-008",
  documents,
  *check(message) {
    const details = member(message, "conflict_details");
    const winner = textAt(details, "suggested_winner");
    const involved = member(details, "agents_involved");
    if (
      winner !== undefined &&
      Array.isArray(involved) &&
      !textsAt(details, "agents_involved").some(({ text }) => text === winner)
    )
      yield { at: "/conflict_details/suggested_winner", why: `is ${winner}, which is not involved` };
    for (const kind of ["conflict", "timeout"]) {
      const isNamed = specificOf(message) === kind || textAt(message, "category") === kind;
      if (member(message, `${kind}_details`) !== undefined && !isNamed)
        yield { at: `/${kind}_details`, why: `is in an escalation that is not about a ${kind}`, level: "MAY" };
    }
  },
};

const consistencyChecker: Checker = {
  rule: "CONV-ESC-009",
  documents,
  *check(message) {
    const numberAt = (name: string): number | undefined => {
      const value = member(message, name);
      return typeof value === "number" ? value : undefined;
    };
    if (member(message, "retry_after") !== undefined && member(message, "can_retry") === false)
      yield { at: "/retry_after", why: "is present although nothing can be retried" };
    const count = numberAt("retry_count");
    const maxRetries = numberAt("max_retries");
    if (count !== undefined && maxRetries !== undefined && count > maxRetries)
      yield { at: "/retry_count", why: `is ${count}, which exceeds max_retries, ${maxRetries}` };
    const specific = specificOf(message);
    const category = textAt(message, "category");
    if (["timeout", "conflict"].includes(specific) && category !== undefined && category !== specific)
      yield { at: "/category", why: `is ${category} in escalation.${specific}` };
    if (numberAt("escalation_tier") === 4 && member(message, "requires_human") === false)
      yield { at: "/requires_human", why: "is false although tier 4 is a human" };
  },
};

const levelChecker: Checker = {
  rule: "CONV-ACK-004",
  documents: ["acknowledgment"],
  *check(message) {
    const specific = specificOf(message);
    if (specific === "") return;
    const level = textAt(message, "ack_level");
    if (level !== undefined && level !== specific)
      yield { at: "/ack_level", why: `is ${level}, but the message is ack.${specific}` };
    for (const otherLevel of ["received", "understood", "completed", "refused"]) {
      if (otherLevel !== specific && member(message, `${otherLevel}_details`) !== undefined)
        yield { at: `/${otherLevel}_details`, why: `does not belong in ack.${specific}` };
    }
  },
};

const refusalChecker: Checker = {
  rule: "CONV-ACK-005",
  documents: ["acknowledgment"],
  *check(message) {
    const details = member(message, "refused_details");
    if (specificOf(message) === "refused" && member(details, "reason") === undefined)
      yield { at: "", why: "refuses without a reason" };
  },
};

const selfChecker: Checker = {
  rule: "CONV-ACK-006",
  documents: ["acknowledgment"],
  *check(message) {
    const about = textAt(message, "acknowledging_message_id")?.toLowerCase();
    if (about !== undefined && about === textAt(message, "message_id")?.toLowerCase())
      yield { at: "/acknowledging_message_id", why: "is the acknowledgment itself" };
  },
};

export const troubleCheckers: readonly Checker[] = [
  completenessChecker,
  blocksChecker,
  consistencyChecker,
  levelChecker,
  refusalChecker,
  selfChecker,
];
