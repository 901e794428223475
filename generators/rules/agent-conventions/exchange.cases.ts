import type { Change, Json, JsonObject } from "../../../schemas/index.ts";
import type { Cases } from "../rule.ts";
import { acknowledgment, assignment, cue, escalation, report, status, uuid } from "./messages.ts";

const document = "exchange";
const set = (path: string, value: Json): Change[] => [{ op: "replace", path, value }];
const remove = (path: string): Change[] => [{ op: "remove", path }];
const agents = ["specialist-code", "specialist-test"];

/** A recording of messages in order; each gets an id of its own. */
function recording(...messages: JsonObject[]): Json[] {
  return messages.map((message, index) => ({
    from: message.sender as string,
    message: { ...message, message_id: uuid(index) },
  }));
}

/** What an agent says to the message with that number. */
function answer(sender: string, about: number, level: string, more: JsonObject = {}): JsonObject {
  return acknowledgment(level, {
    sender,
    recipient: "orchestrator-main",
    acknowledging_message_id: uuid(about),
    ...more,
  });
}

const targets = { target_agents: agents };
const ready = { coordination_ack: { cue_id: "CUE-100", ready_status: "ready" } };
/** A cue from its warning to its go: 0 warning, 1 and 2 acknowledgments, 3 standby, 4 and 5 ready, 6 go. */
const whole = recording(
  cue("warning", targets),
  ...agents.map((agent) => answer(agent, 0, "received")),
  cue("standby", targets),
  ...agents.map((agent) => answer(agent, 3, "understood", ready)),
  cue("go", targets),
);

const first = assignment({ task_id: "CODE-100", task: { description: "Write it." } });
const second = assignment({ task_id: "CODE-200", task: { description: "Test it.", dependencies: ["CODE-100"] } });
const busyWith = (task: string): JsonObject => status("busy", { context: { current_task: task } });
const failed = report("failed", { failure: { reason: "No room.", can_retry: false } });
const tier = (escalation_tier: number, operation = "build"): JsonObject =>
  escalation("error", "resource", {
    escalation_tier,
    requires_human: escalation_tier === 4,
    context: { task_id: "CODE-100", operation, expected: "an answer", actual: "none" },
  });

export const exchangeCases: readonly Cases[] = [
  {
    rule: "CONV-BASE-014",
    document,
    valid: [
      {
        name: "all-new",
        data: recording(status("ready"), busyWith("CODE-100"), status("idle")),
        says: "has a new id in each message",
      },
      {
        name: "two-senders",
        data: [
          recording(status("ready"))[0] as Json,
          {
            from: "specialist-test",
            message: { ...status("ready", { sender: "specialist-test" }), message_id: uuid(0) },
          },
        ],
        says: "has one id from two senders",
        edge: true,
      },
    ],
    invalid: [
      { name: "again-at-once", says: "is that of the message before", change: set("/1/message/message_id", uuid(0)) },
      { name: "again-later", says: "is that of the first message", change: set("/2/message/message_id", uuid(0)) },
      {
        name: "in-capitals",
        says: "is that of the first message in capitals",
        change: set("/2/message/message_id", uuid(0).toUpperCase()),
      },
    ],
  },
  {
    rule: "CONV-ACK-006",
    document,
    valid: [
      {
        name: "to-the-sender",
        data: recording(assignment(), answer("specialist-code", 0, "received")),
        at: "/1/message/recipient",
        says: "sent what is acknowledged",
      },
      {
        name: "of-something-unseen",
        data: recording(assignment(), answer("specialist-code", 99, "received", { recipient: "hub" })),
        at: "/1/message",
        says: "acknowledges what the recording has not",
        edge: true,
      },
    ],
    invalid: [
      { name: "to-the-hub", says: "did not send what is acknowledged", change: set("/1/message/recipient", "hub") },
      {
        name: "to-itself",
        says: "is the one that acknowledges",
        change: set("/1/message/recipient", "specialist-code"),
      },
      {
        name: "of-itself",
        says: "is the acknowledgment itself",
        change: set("/1/message/acknowledging_message_id", uuid(1)),
      },
    ],
  },
  {
    rule: "CONV-ACK-007",
    document,
    valid: [
      {
        name: "level-by-level",
        data: recording(
          assignment(),
          ...["received", "understood", "completed"].map((level) => answer("specialist-code", 0, level)),
        ),
        says: "goes up level by level",
      },
      {
        name: "a-level-skipped",
        data: recording(assignment(), answer("specialist-code", 0, "completed")),
        says: "skips two levels",
        edge: true,
      },
      {
        name: "twice",
        data: recording(
          assignment(),
          answer("specialist-code", 0, "received"),
          answer("specialist-code", 0, "received"),
        ),
        says: "says the same level twice",
        edge: true,
      },
      {
        name: "reconsidered",
        data: recording(
          assignment(),
          answer("specialist-code", 0, "refused", { refused_details: { reason: "No room.", can_reconsider: true } }),
          answer("specialist-code", 0, "understood"),
        ),
        says: "reconsiders a refusal that allowed for it",
      },
      {
        name: "two-agents",
        data: recording(
          assignment({ recipient: "broadcast" }),
          answer("specialist-code", 0, "completed"),
          answer("specialist-test", 0, "received"),
        ),
        says: "has another agent at a lower level",
      },
    ],
    invalid: [
      {
        name: "back-to-received",
        says: "falls back from completed to received",
        at: "/3/message",
        change: [...set("/2/message/message_type", "ack.completed"), ...set("/3/message/message_type", "ack.received")],
      },
      {
        name: "back-to-understood",
        says: "falls back from completed to understood",
        at: "/3/message",
        change: [
          ...set("/2/message/message_type", "ack.completed"),
          ...set("/3/message/message_type", "ack.understood"),
        ],
      },
      {
        name: "after-a-final-refusal",
        from: "reconsidered",
        says: "was final, and something follows",
        at: "/2/message",
        change: set("/1/message/refused_details/can_reconsider", false),
      },
      {
        name: "after-a-refusal",
        from: "reconsidered",
        says: "allowed for nothing, and something follows",
        at: "/2/message",
        change: remove("/1/message/refused_details/can_reconsider"),
      },
    ],
  },
  {
    rule: "CONV-CUE-001",
    document,
    valid: [
      { name: "whole", data: whole, says: "goes from warning by standby to go" },
      { name: "only-warned", data: recording(cue("warning")), says: "ends after the warning", edge: true },
      {
        name: "stopped",
        data: [...whole.slice(0, 4), { from: "orchestrator-main", message: { ...cue("stop"), message_id: uuid(50) } }],
        says: "is stopped in the middle",
      },
      {
        name: "targets-in-another-order",
        data: recording(
          cue("warning", targets),
          ...agents.map((agent) => answer(agent, 0, "received")),
          cue("standby", { target_agents: [...agents].reverse() }),
        ),
        says: "names the same targets in another order",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "no-warning",
        says: "begins with a standby",
        at: "/0/message",
        change: [...remove("/2"), ...remove("/1"), ...remove("/0")],
      },
      {
        name: "no-standby",
        says: "goes without a standby",
        at: "/3/message",
        change: [...remove("/5"), ...remove("/4"), ...remove("/3")],
      },
      {
        name: "warned-twice",
        from: "only-warned",
        says: "warns twice",
        at: "/1/message",
        change: [
          {
            op: "add",
            path: "/-",
            value: { from: "orchestrator-main", message: { ...cue("warning"), message_id: uuid(60) } },
          },
        ],
      },
      {
        name: "one-target-less",
        from: "targets-in-another-order",
        says: "leaves out a target",
        change: remove("/3/message/target_agents/0"),
        at: "/3/message/target_agents",
      },
    ],
  },
  {
    rule: "CONV-CUE-002",
    document,
    valid: [
      { name: "all-answered", data: whole, says: "waits for each target" },
      {
        name: "ready-at-last",
        data: recording(
          cue("warning"),
          answer("specialist-code", 0, "understood"),
          cue("standby"),
          answer("specialist-code", 2, "received", { coordination_ack: { ready_status: "preparing" } }),
          answer("specialist-code", 2, "received", { coordination_ack: { ready_status: "ready" } }),
          cue("go"),
        ),
        says: "waits until a target is ready",
        edge: true,
      },
      {
        name: "by-the-cue-alone",
        data: recording(
          cue("warning"),
          answer("specialist-code", 90, "received", { coordination_ack: { cue_id: "CUE-100" } }),
          cue("standby"),
        ),
        says: "counts an acknowledgment that names the cue",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "one-silent",
        says: "stands by before each has acknowledged the warning",
        at: "/2/message",
        change: remove("/2"),
      },
      {
        name: "first-silent",
        says: "stands by before each has acknowledged the warning",
        at: "/2/message",
        change: remove("/1"),
      },
      { name: "one-not-ready", says: "goes before each is ready", at: "/5/message", change: remove("/5") },
      {
        name: "one-preparing",
        says: "goes while one prepares",
        at: "/6/message",
        change: set("/5/message/coordination_ack/ready_status", "preparing"),
      },
      {
        name: "ready-taken-back",
        from: "ready-at-last",
        says: "goes after readiness was taken back",
        at: "/5/message",
        change: [
          ...set("/3/message/coordination_ack/ready_status", "ready"),
          ...set("/4/message/coordination_ack/ready_status", "not_ready"),
        ],
      },
      {
        name: "warning-refused",
        from: "by-the-cue-alone",
        says: "stands by after a refusal",
        at: "/2/message",
        change: set("/1/message/message_type", "ack.refused"),
      },
    ],
  },
  {
    rule: "CONV-DEP-001",
    document,
    valid: [
      {
        name: "in-turn",
        data: recording(first, second, busyWith("CODE-100"), report("complete"), busyWith("CODE-200")),
        says: "begins the second task after the first",
      },
      {
        name: "no-dependency",
        data: recording(first, second, busyWith("CODE-100")),
        says: "begins a task that depends on none",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "too-early",
        says: "begins the second task before the first is complete",
        at: "/3/message",
        change: remove("/3"),
      },
      {
        name: "half-done",
        says: "begins the second task after half of the first",
        at: "/4/message",
        change: set("/3/message/message_type", "task.update"),
      },
      {
        name: "complete-too-early",
        from: "no-dependency",
        says: "completes the second task before the first",
        at: "/3/message",
        change: [
          {
            op: "add",
            path: "/-",
            value: {
              from: "specialist-code",
              message: { ...report("complete", { task_id: "CODE-200" }), message_id: uuid(70) },
            },
          },
        ],
      },
    ],
  },
  {
    rule: "CONV-DEP-003",
    document,
    valid: [
      {
        name: "left-alone",
        data: recording(first, second, failed, status("idle")),
        says: "leaves the second task alone",
        edge: true,
      },
      {
        name: "another-task",
        data: recording(first, second, failed, assignment({ task_id: "CODE-300" }), busyWith("CODE-300")),
        says: "begins a task that does not depend on the failed one",
      },
    ],
    invalid: [
      {
        name: "begun-all-the-same",
        from: "another-task",
        says: "begins a task whose dependency failed",
        at: "/4/message",
        change: set("/4/message/context/current_task", "CODE-200"),
      },
      {
        name: "complete-all-the-same",
        from: "left-alone",
        says: "completes a task whose dependency failed",
        at: "/3/message",
        change: set("/3/message", { ...report("complete", { task_id: "CODE-200" }), message_id: uuid(3) }),
      },
    ],
  },
  {
    rule: "CONV-JID-002",
    document,
    valid: [
      { name: "tier-by-tier", data: recording(tier(1), tier(2), tier(3), tier(4)), says: "rises tier by tier" },
      { name: "same-tier", data: recording(tier(2), tier(2)), says: "stays at a tier", edge: true },
      {
        name: "two-problems",
        data: recording(tier(4), tier(1, "deploy")),
        says: "begins anew with another problem",
        edge: true,
      },
    ],
    invalid: [
      { name: "a-tier-skipped", says: "leaves out a tier", at: "/1/message/escalation_tier", change: remove("/1") },
      {
        name: "back",
        says: "falls back a tier",
        at: "/3/message/escalation_tier",
        change: [...set("/3/message/escalation_tier", 2)],
      },
      {
        name: "from-self-to-human",
        from: "two-problems",
        says: "leaps from the agent itself to a human",
        at: "/1/message/escalation_tier",
        change: [
          ...set("/0/message/escalation_tier", 1),
          ...set("/1/message/escalation_tier", 4),
          ...set("/1/message/requires_human", true),
          ...set("/1/message/context/operation", "build"),
        ],
      },
    ],
  },
  {
    rule: "CONV-ROUTE-003",
    document,
    valid: [
      {
        name: "changes",
        data: recording(status("ready"), busyWith("CODE-100"), busyWith("CODE-200")),
        says: "reports changes",
      },
      {
        name: "same-from-two",
        data: recording(status("ready"), status("ready", { sender: "specialist-test" })),
        says: "has the same state from two agents",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "still-busy",
        says: "says the same again",
        at: "/2/message",
        change: set("/2/message/context/current_task", "CODE-100"),
      },
      {
        name: "still-ready",
        from: "same-from-two",
        says: "says the same again",
        at: "/1/message",
        change: set("/1/message/sender", "specialist-code"),
      },
    ],
  },
];
