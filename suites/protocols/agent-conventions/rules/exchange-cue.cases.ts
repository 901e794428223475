import { add, remove, set, without } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { cue, uuid } from "./messages.ts";
import { answer, recording } from "./recording.ts";

const document = "exchange";
const agents = ["specialist-code", "specialist-test"];

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

export const exchangeCueCases: readonly Cases[] = [
  {
    rule: "CONV-CUE-001",
    document,
    valid: [
      { name: "whole", data: whole, says: "goes from warning by standby to go" },
      {
        name: "targets-said-once",
        data: recording(
          cue("warning", targets),
          ...agents.map((agent) => answer(agent, 0, "received")),
          without(cue("standby"), "target_agents"),
        ),
        says: "names its targets in the warning alone",
        edge: true,
      },
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
        name: "back-to-the-warning",
        says: "warns after the standby",
        at: "/4/message",
        change: add("/4", { from: "orchestrator-main", message: { ...cue("warning", targets), message_id: uuid(60) } }),
      },
      {
        name: "one-target-less",
        from: "targets-in-another-order",
        says: "leaves out a target",
        change: remove("/3/message/target_agents/0"),
        at: "/3/message/target_agents",
      },
    ],
    disputed: [
      {
        name: "warned-twice",
        from: "only-warned",
        says: "warns twice",
        at: "/1/message",
        change: add("/-", { from: "orchestrator-main", message: { ...cue("warning"), message_id: uuid(60) } }),
        readings: [
          {
            verdict: "valid",
            by: ["specification"],
            why: "the order is of phases, and nothing forbids to say one again",
          },
          { verdict: "invalid", by: ["strict reading"], why: "a warning, a standby and a go are one message each" },
        ],
      },
      {
        name: "anew-after-stop",
        from: "stopped",
        says: "begins anew after a stop",
        at: "/5/message",
        change: add("/-", { from: "orchestrator-main", message: { ...cue("warning", targets), message_id: uuid(61) } }),
        readings: [
          { verdict: "valid", by: ["specification"], why: "nothing says that a stopped cue is used up" },
          { verdict: "invalid", by: ["strict reading"], why: "the cue has had its warning" },
        ],
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
        name: "one-by-one",
        data: recording(
          ...agents.map((recipient) => cue("warning", { ...targets, recipient })),
          ...agents.map((agent, index) => answer(agent, index, "received")),
          ...agents.map((recipient) => cue("standby", { ...targets, recipient })),
          ...agents.map((agent, index) => answer(agent, 4 + index, "understood", ready)),
          ...agents.map((recipient) => cue("go", { ...targets, recipient })),
        ),
        says: "tells each target by itself",
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
        name: "refused-after-ready",
        from: "ready-at-last",
        says: "goes after a refusal took readiness back",
        level: "SHOULD",
        at: "/5/message",
        change: [
          ...set("/3/message/coordination_ack/ready_status", "ready"),
          ...set("/4/message/message_type", "ack.refused"),
          ...remove("/4/message/coordination_ack/ready_status"),
          ...add("/4/message/refused_details", { reason: "No room." }),
        ],
      },
      {
        name: "said-one-by-one",
        from: "one-by-one",
        says: "goes before each is ready, having told each by itself",
        at: "/9/message",
        change: remove("/7"),
      },
      {
        name: "warning-refused",
        from: "by-the-cue-alone",
        says: "stands by after a refusal",
        at: "/2/message",
        change: [
          ...set("/1/message/message_type", "ack.refused"),
          ...set("/1/message/acknowledging_message_id", uuid(0)),
        ],
      },
    ],
  },
];
