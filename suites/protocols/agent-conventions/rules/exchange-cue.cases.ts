import type { Cases, Change, Json } from "../../../../schemas/index.ts";
import { cue, uuid } from "./messages.ts";
import { answer, recording } from "./recording.ts";

const document = "exchange";
const set = (path: string, value: Json): Change[] => [{ op: "replace", path, value }];
const remove = (path: string): Change[] => [{ op: "remove", path }];
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
];
