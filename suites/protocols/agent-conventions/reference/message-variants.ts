import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { editAt, removeAt, setAt } from "../../../packs/reference/changes.ts";
import type { AgentConduct } from "./agent/conduct.ts";
import { breaks, type PartyMistake } from "./party-mistakes.ts";

/** Decides the final form of a message that a party sends, after its own checks. */
type FinishMessage = (message: JsonObject) => JsonObject;

type SendingConduct = { finishMessage: FinishMessage };

/** Changes sent messages whose type starts with this prefix. */
function changeSent(typePrefix: string, change: FinishMessage): SendingConduct {
  return {
    finishMessage: (message) => (String(message.message_type).startsWith(typePrefix) ? change(message) : message),
  };
}

const withExtraMembers =
  (members: JsonObject): FinishMessage =>
  (message) => ({ ...message, ...members });

/** Mistakes that any party can make in its messages of one type. */
function wrongMessagesOf(type: string): PartyMistake<SendingConduct>[] {
  return [
    ...breaks("CONV-BASE-007", {
      "": ["puts a member of an inner object at the root", changeSent(type, setAt("/preparation", "tests"))],
    }),
    ...breaks("CONV-BASE-009", {
      "": [
        "writes its ids as URNs",
        changeSent(
          type,
          editAt("/message_id", (id) => `urn:uuid:${id}`),
        ),
      ],
    }),
    ...breaks("CONV-BASE-010", {
      "": [
        "writes its times without a zone",
        changeSent(
          type,
          editAt("/timestamp", (time) => String(time).replace("Z", "")),
        ),
      ],
    }),
    ...breaks("CONV-BASE-014", {
      "": [
        "uses the same id for all messages",
        changeSent(type, setAt("/message_id", "7d3e1f0a-5b1c-4c7e-9a51-0f6d2b8c4e19")),
      ],
    }),
  ];
}

/** Changes reports about work, but not reports about invalid messages. */
function changeWorkReports(change: JsonObject): SendingConduct {
  return changeSent("escalation.", (message) =>
    message.category === "validation" ? message : { ...message, ...change },
  );
}

const [update, handoff, refusal] = ["task.update", "task.handoff", "ack.refused"] as const;

/** Changes acknowledgments, but not refusals. */
function changeAcknowledgments(change: FinishMessage): SendingConduct {
  return changeSent("ack.", (message) => (message.message_type === refusal ? message : change(message)));
}

const changeConflicts = (change: FinishMessage): SendingConduct => changeSent("escalation.conflict", change);
const changeErrors = (change: FinishMessage): SendingConduct => changeSent("escalation.error", change);

/** Acknowledges a warning twice, the second time at a lower level. */
function sendBackwards(correctConduct: AgentConduct): Partial<AgentConduct> {
  return {
    cueAcks(phase, cue) {
      const answers = correctConduct.cueAcks(phase, cue);
      if (phase !== "warning") return answers;
      const ack = { message_type: "ack.understood", coordination_ack: { cue_id: cue } };
      return [
        { ack },
        ...answers,
        { ack: { ...ack, message_type: "ack.received" }, after: answers.at(-1)?.after ?? 0 },
      ];
    },
  };
}

/** Reports the work as complete when its go arrives. */
function completeTooSoon(correctConduct: AgentConduct): Partial<AgentConduct> {
  return {
    cueAcks: (phase, cue) =>
      phase === "go"
        ? [{ ack: { message_type: "ack.completed", coordination_ack: { cue_id: cue } } }]
        : correctConduct.cueAcks(phase, cue),
  };
}

/** Names the message of the previous acknowledgment in each acknowledgment. */
function acknowledgeOneBehind(correctConduct: AgentConduct): Partial<AgentConduct> {
  let previousId: Json | undefined;
  return {
    finishMessage(message) {
      const { acknowledging_message_id: ownId } = message;
      if (ownId === undefined) return correctConduct.finishMessage(message);
      const acknowledgedId = previousId ?? ownId;
      previousId = ownId;
      return correctConduct.finishMessage({ ...message, acknowledging_message_id: acknowledgedId });
    },
  };
}

/** Escalates a problem to the orchestrator first, and then to a human. */
function escalateInTiers(correctConduct: AgentConduct): Partial<AgentConduct> {
  return {
    furtherMessages(event, task) {
      const report = {
        message_type: "escalation.error",
        severity: "HIGH",
        category: "resource",
        escalation_tier: 4,
        description: "No attempt has helped.",
        suggested_action: "Help.",
        can_retry: false,
        requires_human: true,
        context: { operation: "work", expected: "help", actual: "none", task_id: task },
      };
      return [...correctConduct.furtherMessages(event, task), ...(event === "fails" ? [report] : [])];
    },
  };
}

/** Agents that break a rule in one kind of their messages. */
export const agentMessageVariants: readonly PartyMistake<AgentConduct>[] = [
  ...wrongMessagesOf("ack."),
  ...breaks<AgentConduct>("CONV-BASE-002", {
    "": ["omits the timestamp of updates", changeSent(update, removeAt("/timestamp"))],
  }),
  ...breaks<AgentConduct>("CONV-BASE-005", {
    "": ["sends a type that the category does not have", changeSent(update, setAt("/message_type", "task.progress"))],
  }),
  ...breaks<AgentConduct>("CONV-BASE-016", {
    "": ["sends escalations to all agents", changeWorkReports({ recipient: "broadcast" })],
  }),
  ...breaks<AgentConduct>("CONV-SEND-001", {
    agents: ["capitalizes the names of agents", changeSent(handoff, setAt("/handoff/to_agent", "Test"))],
  }),
  ...breaks<AgentConduct>("CONV-ACK-002", {
    "": [
      "writes ready_status as a boolean",
      changeSent(
        "ack.",
        editAt("/coordination_ack/ready_status", () => true),
      ),
    ],
  }),
  ...breaks<AgentConduct>("CONV-ACK-003", {
    "": ["writes an empty reason", changeSent(refusal, setAt("/refused_details/reason", ""))],
  }),
  ...breaks<AgentConduct>("CONV-ACK-004", {
    "": [
      "writes the ack_level of another type",
      changeAcknowledgments((message) => ({
        ...message,
        ack_level: message.message_type === "ack.completed" ? "received" : "completed",
      })),
    ],
  }),
  ...breaks<AgentConduct>("CONV-ACK-005", {
    "": ["refuses without a reason", changeSent(refusal, removeAt("/refused_details"))],
  }),
  ...breaks<AgentConduct>("CONV-ACK-006", {
    "": ["sends acknowledgments to the hub itself", changeAcknowledgments(setAt("/recipient", "hub-main"))],
    habit: [
      "sends acknowledgments to one orchestrator, regardless of the sender",
      changeSent(
        "ack.",
        editAt("/recipient", (recipient) =>
          String(recipient).startsWith("orchestrator") ? "orchestrator-main" : recipient,
        ),
      ),
    ],
    behind: ["acknowledges the previous message again instead of the current one", acknowledgeOneBehind],
    nothing: [
      "names a message that does not exist",
      changeSent("ack.", (message) => ({ ...message, acknowledging_message_id: randomUUID() })),
    ],
  }),
  ...breaks<AgentConduct>("CONV-ACK-007", {
    "": ["acknowledges a warning as received after it has acknowledged it as understood", sendBackwards],
    begun: ["reports the work on a cue as completed as soon as it begins", completeTooSoon],
  }),
  ...breaks<AgentConduct>("CONV-ACK-008", {
    "": [
      "writes preparation_complete as a string",
      changeSent("ack.", setAt("/coordination_ack/preparation_complete", "yes")),
    ],
  }),
  ...breaks<AgentConduct>("CONV-TASK-001", {
    "": [
      "writes task ids in lower case",
      changeSent(update, (message) => ({ ...message, task_id: String(message.task_id ?? "").toLowerCase() })),
    ],
  }),
  ...breaks<AgentConduct>("CONV-TASK-005", {
    "": ["reports more than a hundred per cent", changeSent(update, setAt("/progress/percent_complete", 101))],
  }),
  ...breaks<AgentConduct>("CONV-TASK-009", {
    "": ["includes a completion in updates", changeSent(update, setAt("/completion", { summary: "Some of it." }))],
  }),
  ...breaks<AgentConduct>("CONV-TASK-012", {
    "": [
      "swaps the agents of a handoff",
      changeSent(handoff, (message) =>
        setAt(
          "/handoff/from_agent",
          message.recipient ?? "",
        )(setAt("/handoff/to_agent", message.sender ?? "")(message)),
      ),
    ],
  }),
  ...breaks<AgentConduct>("CONV-JID-002", { "": ["skips a tier of escalation", escalateInTiers] }),
  ...breaks<AgentConduct>("CONV-ESC-001", {
    "": ["writes the severity in lower case", changeWorkReports({ severity: "high" })],
  }),
  ...breaks<AgentConduct>("CONV-ESC-002", {
    "": ["writes the category in upper case", changeWorkReports({ category: "RESOURCE" })],
  }),
  ...breaks<AgentConduct>("CONV-ESC-003", {
    "": ["escalates without an operation", changeWorkReports({ context: {} })],
  }),
  ...breaks<AgentConduct>("CONV-ESC-004", {
    "": ["writes a tier that does not exist", changeWorkReports({ escalation_tier: 5 })],
  }),
  ...breaks<AgentConduct>("CONV-ESC-005", {
    "": [
      "names only one agent in a conflict",
      changeConflicts(setAt("/conflict_details/agents_involved", ["specialist-test"])),
    ],
  }),
  ...breaks<AgentConduct>("CONV-ESC-007", {
    "": ["does not suggest an action", changeErrors(removeAt("/suggested_action"))],
  }),
  ...breaks<AgentConduct>("CONV-ESC-008", {
    "": [
      "proposes a winner that is not involved",
      changeConflicts(setAt("/conflict_details/suggested_winner", "specialist-docs")),
    ],
  }),
  ...breaks<AgentConduct>("CONV-ESC-009", {
    "": [
      "writes when to retry an operation that cannot be retried",
      changeErrors(withExtraMembers({ can_retry: false, retry_after: "2030-01-01T00:00:00Z" })),
    ],
  }),
];

/** Hubs that break a rule in one kind of their messages. */
export const hubMessageVariants: readonly PartyMistake<SendingConduct>[] = [
  ...wrongMessagesOf("coord.warning"),
  ...breaks("CONV-COORD-005", {
    "": [
      "writes auto_follow as null if no cue follows",
      changeSent("coord.", (message) => ({ auto_follow: null, ...message })),
    ],
  }),
  ...breaks("CONV-CUE-001", {
    targets: ["does not name the targets of a go", changeSent("coord.go", removeAt("/target_agents"))],
  }),
  ...breaks("CONV-CUE-005", { "": ["sends go in its own name", changeSent("coord.go", setAt("/sender", "hub-main"))] }),
];
