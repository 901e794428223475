import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { acknowledgment, escalation } from "./messages.ts";

const conflict = (details: JsonObject): JsonObject => escalation("conflict", "conflict", { conflict_details: details });
const agents_involved = ["specialist-a", "specialist-b"];
const won = { agents_involved, suggested_winner: "specialist-a" };
const stray = (kind: string) => [
  { verdict: "valid" as const, by: ["schema"], why: "the block is called specific, not exclusive" },
  { verdict: "invalid" as const, by: ["recommendation"], why: `the block is about a ${kind}` },
];

const escalations: readonly Cases[] = [
  {
    rule: "CONV-ESC-007",
    document: "escalation",
    valid: [
      { name: "all-told", data: escalation("error", "resource"), says: "says all that it should" },
      {
        name: "another-kind",
        data: { ...bare("abnormality") },
        says: "is no error, and need not say so much",
        edge: true,
      },
    ],
    invalid: [
      ...["description", "suggested_action", "can_retry", "requires_human", "context"].map((name) => ({
        name: `without-${name.replaceAll("_", "-")}`,
        at: "",
        says: `reports an error without ${name}`,
        change: remove(`/${name}`),
      })),
      ...["expected", "actual"].map((name) => ({
        name: `without-${name}`,
        at: "/context",
        says: `does not tell what was ${name}`,
        change: remove(`/context/${name}`),
      })),
      {
        name: "bare",
        from: "another-kind",
        at: "",
        says: "reports an error and nothing about it",
        change: set("/message_type", "escalation.error"),
      },
    ],
  },
  {
    rule: "CONV-ESC-008",
    document: "escalation",
    valid: [
      {
        name: "winner-first",
        data: conflict(won),
        at: "/conflict_details/suggested_winner",
        says: "is the first involved",
      },
      {
        name: "winner-last",
        data: conflict({ agents_involved, suggested_winner: "specialist-b" }),
        at: "/conflict_details/suggested_winner",
        says: "is the last involved",
        edge: true,
      },
      {
        name: "winner-of-three",
        data: conflict({ agents_involved: [...agents_involved, "specialist-c"], suggested_winner: "specialist-c" }),
        at: "/conflict_details/suggested_winner",
        says: "is the last of three involved",
      },
      {
        name: "winner-alone",
        data: conflict({ suggested_winner: "specialist-c" }),
        at: "/conflict_details/suggested_winner",
        says: "stands without a list of those involved",
      },
      {
        name: "winner-of-an-error",
        data: escalation("error", "conflict", { conflict_details: won }),
        at: "/conflict_details/suggested_winner",
        says: "is the first involved in what the category alone calls a conflict",
      },
      {
        name: "named-by-category",
        data: escalation("error", "timeout", { timeout_details: { timeout_limit: 10 } }),
        at: "/timeout_details",
        says: "stands where the category is timeout",
      },
    ],
    invalid: [
      {
        name: "a-stranger-wins",
        says: "is not involved",
        change: set("/conflict_details/suggested_winner", "specialist-c"),
      },
      {
        name: "begins-the-same",
        says: "only begins like one involved",
        change: set("/conflict_details/suggested_winner", "specialist-a-b"),
      },
      {
        name: "a-stranger-wins-an-error",
        from: "winner-of-an-error",
        says: "is not involved",
        change: set("/conflict_details/suggested_winner", "specialist-c"),
      },
      {
        name: "one-involved-begins-the-same",
        says: "is only how one involved begins",
        at: "/conflict_details/suggested_winner",
        change: set("/conflict_details/agents_involved/0", "specialist-a-2"),
      },
    ],
    disputed: [
      {
        name: "stray-timeout",
        from: "named-by-category",
        says: "stands in an escalation about a resource",
        at: "/timeout_details",
        change: set("/category", "resource"),
        readings: stray("timeout"),
      },
      {
        name: "stray-conflict",
        from: "named-by-category",
        says: "stands in an escalation about a timeout",
        change: add("/conflict_details", {}),
        readings: stray("conflict"),
      },
    ],
  },
  {
    rule: "CONV-ESC-009",
    document: "escalation",
    valid: [
      {
        name: "retry-after",
        data: escalation("error", "resource", { retry_after: "2026-01-15T10:00:00Z" }),
        at: "/retry_after",
        says: "is given where it can be retried",
      },
      {
        name: "last-retry",
        data: escalation("error", "resource", { retry_count: 3, max_retries: 3 }),
        at: "/retry_count",
        says: "is at the maximum",
        edge: true,
      },
      { name: "timeout", data: escalation("timeout", "timeout"), at: "/category", says: "is that of the type" },
      { name: "conflict", data: escalation("conflict", "conflict"), at: "/category", says: "is that of the type" },
      {
        name: "human",
        data: escalation("error", "resource", { escalation_tier: 4, requires_human: true }),
        at: "/requires_human",
        says: "is true at tier 4",
      },
      {
        name: "tier-3",
        data: escalation("error", "resource", { escalation_tier: 3, requires_human: false }),
        at: "/requires_human",
        says: "is false at tier 3",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "no-retry-after",
        says: "is given where nothing can be retried",
        at: "/retry_after",
        change: set("/can_retry", false),
      },
      { name: "one-too-many", from: "last-retry", says: "is one over the maximum", change: set("/retry_count", 4) },
      {
        name: "some-where-none-may-be",
        from: "last-retry",
        says: "is over a maximum of 0",
        at: "/retry_count",
        change: set("/max_retries", 0),
      },
      {
        name: "timeout-of-a-resource",
        from: "timeout",
        says: "is another than the type",
        change: set("/category", "resource"),
      },
      {
        name: "conflict-of-timeout",
        from: "conflict",
        says: "is another than the type",
        change: set("/category", "timeout"),
      },
      { name: "no-human", from: "human", says: "is false at tier 4", change: set("/requires_human", false) },
    ],
  },
];

const acknowledgments: readonly Cases[] = [
  {
    rule: "CONV-ACK-004",
    document: "acknowledgment",
    valid: [
      {
        name: "same-level",
        data: acknowledgment("received", { ack_level: "received", received_details: {} }),
        says: "says its level twice, with its details",
      },
      {
        name: "understood",
        data: acknowledgment("understood", { understood_details: {} }),
        says: "has the details of its level",
      },
      {
        name: "completed",
        data: acknowledgment("completed", { completed_details: {} }),
        says: "has the details of its level",
      },
      {
        name: "refused",
        data: acknowledgment("refused", { ack_level: "refused", refused_details: { reason: "No room." } }),
        says: "has the details of its level",
      },
      {
        name: "about-a-cue",
        data: acknowledgment("understood", { coordination_ack: { ready_status: "ready" } }),
        at: "/coordination_ack",
        says: "belongs to every level",
        edge: true,
      },
    ],
    invalid: [
      { name: "another-level", says: "is another than the type says", change: set("/ack_level", "refused") },
      {
        name: "refused-in-received",
        says: "belongs into ack.refused",
        change: add("/refused_details", { reason: "No room." }),
      },
      {
        name: "received-in-understood",
        from: "understood",
        says: "belongs into ack.received",
        change: add("/received_details", {}),
      },
      {
        name: "understood-in-completed",
        from: "completed",
        says: "belongs into ack.understood",
        change: add("/understood_details", { will_comply: true }),
      },
      {
        name: "completed-in-refused",
        from: "refused",
        says: "belongs into ack.completed",
        change: add("/completed_details", {}),
      },
    ],
  },
  {
    rule: "CONV-ACK-005",
    document: "acknowledgment",
    valid: [
      {
        name: "reason",
        data: acknowledgment("refused", { refused_details: { reason: "x" } }),
        at: "/refused_details/reason",
        says: "has one character",
        edge: true,
      },
      {
        name: "about-a-cue",
        data: acknowledgment("refused", {
          refused_details: { reason: "No room." },
          coordination_ack: { ready_status: "not_ready" },
        }),
        at: "/refused_details/reason",
        says: "is given where a cue is refused",
      },
      { name: "no-refusal", data: acknowledgment("understood"), says: "refuses nothing" },
    ],
    invalid: [
      { name: "no-reason", says: "refuses without a reason", at: "", change: remove("/refused_details") },
      {
        name: "no-reason-about-a-cue",
        from: "about-a-cue",
        says: "refuses a cue without a reason",
        at: "",
        change: remove("/refused_details"),
      },
    ],
  },
];

function bare(kind: string): JsonObject {
  const { description, context, suggested_action, can_retry, requires_human, ...rest } = escalation(
    kind,
    "performance",
  );
  return rest;
}

export const troubleCases: readonly Cases[] = [...escalations, ...acknowledgments];
