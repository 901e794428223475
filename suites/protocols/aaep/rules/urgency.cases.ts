import { add, remove } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json } from "../../../../schemas/index.ts";
import type { EventName } from "./event.ts";
import { event } from "./messages.ts";

const unsaid = (from: string): InvalidCase => ({
  name: `unsaid-in-${from}`,
  from,
  at: "/urgency",
  says: "is left to the default, which is normal",
  change: remove("/urgency"),
});

/** Members that look as if they said how urgent it is. */
const misleading: readonly [string, EventName, Record<string, Json>][] = [
  ["AAEP-LIFE-011", "agent.session.errored", { error_category: "requires_user", recoverable: false }],
  [
    "AAEP-CONF-006",
    "agent.awaiting.confirmation",
    { risk_level: "high", reversibility: "irreversible", timeout_seconds: 180 },
  ],
  ["AAEP-CLAR-002", "agent.awaiting.clarification", { accepted_response_kinds: ["yes_no"], verbosity: "terse" }],
  ["AAEP-HAND-002", "agent.handoff.requested", { urgency_for_handoff: "high", target_kind: "escalation_queue" }],
];

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-024",
    document: "agent.progress.updated",
    valid: [
      { name: "background", at: "/urgency", says: "is background", data: event("agent.progress.updated") },
      {
        name: "background-when-done",
        at: "/urgency",
        says: "is background to the end",
        data: event("agent.progress.updated", { progress: { percent: 100 } }),
        edge: true,
      },
    ],
    invalid: [
      { name: "normal", says: "is normal", change: add("/urgency", "normal") },
      { name: "critical", says: "is critical", change: add("/urgency", "critical") },
      { name: "unsaid", says: "is left to the default, which is normal", change: remove("/urgency"), edge: true },
    ],
  },
  {
    rule: "AAEP-ENV-024",
    document: "agent.state.changed",
    valid: [
      { name: "normal", at: "/urgency", says: "is normal", data: event("agent.state.changed", { urgency: "normal" }) },
      {
        name: "background",
        at: "/urgency",
        says: "is background",
        data: event("agent.state.changed", { urgency: "background" }),
        edge: true,
      },
    ],
    invalid: [{ name: "critical", says: "is critical", change: add("/urgency", "critical") }],
  },
  ...(
    [
      "agent.session.started",
      "agent.tool.invoked",
      "agent.tool.completed",
      "agent.output.streaming",
      "agent.session.completed",
      "agent.session.cancelled",
    ] as const
  ).map(
    (document): Cases => ({
      rule: "AAEP-ENV-024",
      document,
      valid: [{ name: "unsaid", says: "leaves its urgency to the default, which is normal", data: event(document) }],
      invalid: [
        { name: "critical", says: "is critical", change: add("/urgency", "critical") },
        { name: "background", says: "is background", change: add("/urgency", "background"), edge: true },
      ],
    }),
  ),
  ...misleading.map(
    ([rule, document, members]): Cases => ({
      rule,
      document,
      valid: [
        { name: "least", at: "/urgency", says: "is critical", data: event(document), edge: true },
        { name: "more", at: "/urgency", says: "is critical", data: event(document, members) },
      ],
      invalid: [unsaid("least"), unsaid("more")],
    }),
  ),
  {
    rule: "AAEP-LIFE-011",
    document: "envelope",
    valid: [
      {
        name: "among-other-events",
        at: "/urgency",
        says: "is critical",
        data: event("agent.session.errored", { error_category: "unknown" }),
      },
    ],
    invalid: [
      unsaid("among-other-events"),
      { name: "normal", says: "is normal, which the envelope alone allows", change: add("/urgency", "normal") },
    ],
  },
];
