import { randomUUID } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import type { Conduct } from "./agent/conduct.ts";
import type { Variant } from "./variant.ts";

/** Decides how a message that a party sends is in the end, after its own checks. */
type Sent = (message: JsonObject) => JsonObject;

export type SentWrongly = Variant<{ sent: Sent }>;

/** Changes messages whose type begins so. */
export function wrongly(rule: string, says: string, type: string, change: Sent): SentWrongly {
  const sent: Sent = (message) => (String(message.message_type).startsWith(type) ? change(message) : message);
  return { rule, says, conduct: { sent } };
}

/** Changes members of an object that is a member. */
function within(name: string, change: JsonObject): Sent {
  return ({ [name]: inner, ...rest }) => ({ ...rest, [name]: { ...(isObject(inner) ? inner : {}), ...change } });
}

const withMore =
  (more: JsonObject): Sent =>
  (message) => ({ ...message, ...more });

/** What any party can send wrongly, in messages of one type. */
export function anySentWrongly(type: string): SentWrongly[] {
  return [
    wrongly("CONV-BASE-007", "puts at the root what belongs further down", type, withMore({ preparation: "tests" })),
    wrongly("CONV-BASE-009", "writes its ids as URNs", type, ({ message_id: id = "", ...rest }) => ({
      message_id: `urn:uuid:${id}`,
      ...rest,
    })),
    wrongly("CONV-BASE-010", "writes its times without a zone", type, ({ timestamp = "", ...rest }) => ({
      timestamp: String(timestamp).replace("Z", ""),
      ...rest,
    })),
    wrongly(
      "CONV-BASE-014",
      "has one id for all",
      type,
      withMore({ message_id: "7d3e1f0a-5b1c-4c7e-9a51-0f6d2b8c4e19" }),
    ),
  ];
}

/** What is wrong in reports of faults at work, and not in those of invalid messages. */
function atWork(change: JsonObject): Sent {
  return (message) => (message.category === "validation" ? message : { ...message, ...change });
}

const [update, handoff, refused] = ["task.update", "task.handoff", "ack.refused"] as const;

/** The answer to a warning, in two that go backwards. */
const backwards: Variant<Conduct> = {
  rule: "CONV-ACK-007",
  says: "says that a warning has arrived after it has said that it understands it",
  conduct: (right) => ({
    cueAcks(phase, cue) {
      const said = right.cueAcks(phase, cue);
      if (phase !== "warning") return said;
      const ack = { message_type: "ack.understood", coordination_ack: { cue_id: cue } };
      return [{ ack }, ...said, { ack: { ...ack, message_type: "ack.received" }, after: said.at(-1)?.after ?? 0 }];
    },
  }),
};

/** The arrival of a go, taken for the end of what begins with it. */
const tooSoon: Variant<Conduct> = {
  rule: "CONV-ACK-007",
  name: "begun",
  says: "says that the work on a cue is completed as soon as it begins",
  conduct: (right) => ({
    cueAcks: (phase, cue) =>
      phase === "go"
        ? [{ ack: { message_type: "ack.completed", coordination_ack: { cue_id: cue } } }]
        : right.cueAcks(phase, cue),
  }),
};

/** Each ack names the message that the one before should have named. */
const oneBehind: Variant<Conduct> = {
  rule: "CONV-ACK-006",
  name: "behind",
  says: "names in each acknowledgment the message of the one before",
  conduct(right) {
    let last: Json | undefined;
    return {
      sent(message) {
        const { acknowledging_message_id: own } = message;
        if (own === undefined) return right.sent(message);
        const named = last ?? own;
        last = own;
        return right.sent({ ...message, acknowledging_message_id: named });
      },
    };
  },
};

/** A problem goes to the orchestrator, and then to a human. */
const tiered: Variant<Conduct> = {
  rule: "CONV-JID-002",
  says: "goes up two tiers at once",
  conduct: (right) => ({
    says(event, task) {
      const report = {
        message_type: "escalation.error",
        severity: "HIGH",
        category: "resource",
        escalation_tier: 4,
        description: "Nobody has helped.",
        suggested_action: "Help.",
        can_retry: false,
        requires_human: true,
        context: { operation: "work", expected: "help", actual: "none", task_id: task },
      };
      return [...right.says(event, task), ...(event === "fails" ? [report] : [])];
    },
  }),
};

export const agentSentWrongly: readonly Variant<Conduct>[] = [
  ...anySentWrongly("ack."),
  wrongly("CONV-BASE-002", "leaves the time out of updates", update, ({ timestamp: _, ...rest }) => rest),
  wrongly("CONV-BASE-005", "has a type of its own", update, withMore({ message_type: "task.progress" })),
  {
    ...wrongly("CONV-SEND-001", "writes agents in capitals", handoff, within("handoff", { to_agent: "Test" })),
    name: "agents",
  },
  wrongly("CONV-ACK-002", "is ready by a boolean", "ack.", (message) =>
    isObject(message.coordination_ack) && message.coordination_ack.ready_status !== undefined
      ? within("coordination_ack", { ready_status: true })(message)
      : message,
  ),
  wrongly("CONV-ACK-003", "gives an empty reason", refused, within("refused_details", { reason: "" })),
  wrongly("CONV-ACK-004", "has the level of another type", "ack.", (message) =>
    message.message_type === "ack.refused"
      ? message
      : { ...message, ack_level: message.message_type === "ack.completed" ? "received" : "completed" },
  ),
  wrongly("CONV-ACK-005", "refuses without a reason", refused, ({ refused_details: _, ...rest }) => rest),
  wrongly("CONV-ACK-006", "acknowledges to the hub itself", "ack.", (message) =>
    message.message_type === "ack.refused" ? message : { ...message, recipient: "hub-main" },
  ),
  {
    ...wrongly("CONV-ACK-006", "acknowledges to one orchestrator, whoever has asked", "ack.", (message) =>
      String(message.recipient).startsWith("orchestrator") ? { ...message, recipient: "orchestrator-main" } : message,
    ),
    name: "habit",
  },
  oneBehind,
  {
    ...wrongly("CONV-ACK-006", "names a message that there is not", "ack.", (message) => ({
      ...message,
      acknowledging_message_id: randomUUID(),
    })),
    name: "nothing",
  },
  wrongly("CONV-ACK-008", "has prepared by a text", "ack.", (message) =>
    isObject(message.coordination_ack) ? within("coordination_ack", { preparation_complete: "yes" })(message) : message,
  ),
  backwards,
  tooSoon,
  wrongly("CONV-TASK-005", "goes past a hundred per cent", update, within("progress", { percent_complete: 101 })),
  wrongly("CONV-TASK-001", "writes the task small", update, ({ task_id: id = "", ...rest }) => ({
    ...rest,
    task_id: String(id).toLowerCase(),
  })),
  wrongly(
    "CONV-TASK-009",
    "reports a completion in updates",
    update,
    withMore({ completion: { summary: "Some of it." } }),
  ),
  wrongly("CONV-TASK-012", "names the agents of a handoff the wrong way round", handoff, (message) =>
    within("handoff", { from_agent: message.recipient ?? "", to_agent: message.sender ?? "" })(message),
  ),
  wrongly("CONV-BASE-016", "escalates to all", "escalation.", atWork({ recipient: "broadcast" })),
  tiered,
  wrongly("CONV-ESC-004", "is at a tier that there is not", "escalation.", atWork({ escalation_tier: 5 })),
  wrongly(
    "CONV-ESC-007",
    "does not say what may be done",
    "escalation.error",
    ({ suggested_action: _, ...rest }) => rest,
  ),
  wrongly(
    ...(["CONV-ESC-008", "proposes a winner who is not involved", "escalation.conflict"] as const),
    within("conflict_details", { suggested_winner: "specialist-docs" }),
  ),
  wrongly(
    ...(["CONV-ESC-009", "says when to retry what cannot be retried", "escalation.error"] as const),
    withMore({ can_retry: false, retry_after: "2030-01-01T00:00:00Z" }),
  ),
  wrongly("CONV-ESC-001", "writes the severity small", "escalation.", atWork({ severity: "high" })),
  wrongly("CONV-ESC-002", "writes the category in capitals", "escalation.", atWork({ category: "RESOURCE" })),
  wrongly("CONV-ESC-003", "escalates without an operation", "escalation.", atWork({ context: {} })),
  wrongly(
    ...(["CONV-ESC-005", "names one agent in a conflict", "escalation.conflict"] as const),
    within("conflict_details", { agents_involved: ["specialist-test"] }),
  ),
];

export const hubSentWrongly: readonly SentWrongly[] = [
  ...anySentWrongly("coord.warning"),
  wrongly("CONV-COORD-005", "says by null that no cue follows", "coord.", (message) => ({
    auto_follow: null,
    ...message,
  })),
  {
    ...wrongly("CONV-CUE-001", "does not say in a go whom it is for", "coord.go", ({ target_agents: _, ...go }) => go),
    name: "targets",
  },
  wrongly("CONV-CUE-005", "sends go itself", "coord.go", withMore({ sender: "hub-main" })),
];
