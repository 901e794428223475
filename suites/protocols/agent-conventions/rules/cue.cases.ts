import { add, set, without } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { cue } from "./messages.ts";

const document = "coordination";
const agents = ["specialist-code", "specialist-test"];
const go = (details: JsonObject): JsonObject => cue("go", { target_agents: agents, go_details: details });
const omitted = (why: string) => [
  { verdict: "valid" as const, by: ["schema"], why: "it is optional" },
  { verdict: "invalid" as const, by: ["recommendation"], why },
];

export const cueCases: readonly Cases[] = [
  {
    rule: "CONV-COORD-006",
    document,
    valid: [
      {
        name: "warning",
        data: cue("warning", { warning_details: {} }),
        at: "/warning_details",
        says: "belongs into a warning",
      },
      {
        name: "standby",
        data: cue("standby", { standby_details: {} }),
        at: "/standby_details",
        says: "belongs into a standby",
      },
      { name: "go", data: cue("go", { go_details: {} }), at: "/go_details", says: "belongs into a go" },
      { name: "stop", data: cue("stop", { stop_details: {} }), at: "/stop_details", says: "belongs into a stop" },
      { name: "none", data: cue("go"), says: "has no details at all", edge: true },
    ],
    invalid: [
      { name: "stop-in-go", from: "none", says: "belongs into a stop", change: add("/stop_details", {}) },
      { name: "warning-in-go", from: "go", says: "belongs into a warning", change: add("/warning_details", {}) },
      {
        name: "standby-in-warning",
        from: "warning",
        says: "belongs into a standby",
        change: add("/standby_details", {}),
      },
      { name: "go-in-standby", from: "standby", says: "belongs into a go", change: add("/go_details", {}) },
      {
        name: "go-in-stop",
        from: "stop",
        says: "belongs into a go",
        change: add("/go_details", { execution_type: "immediate" }),
      },
    ],
  },
  {
    rule: "CONV-COORD-007",
    document,
    valid: [
      {
        name: "scheduled",
        data: go({ execution_type: "scheduled", scheduled_time: "2026-01-15T10:00:00Z" }),
        at: "/go_details",
        says: "is scheduled, with its time",
      },
      {
        name: "immediate",
        data: go({ execution_type: "immediate" }),
        at: "/go_details",
        says: "is immediate, and needs no time",
        edge: true,
      },
      {
        name: "ordered",
        data: go({ synchronization: "sequential", sequence_order: agents }),
        at: "/go_details/sequence_order",
        says: "names each target once",
      },
      {
        name: "other-way-round",
        data: go({ synchronization: "sequential", sequence_order: [...agents].reverse() }),
        at: "/go_details/sequence_order",
        says: "names the targets in another order",
      },
      {
        name: "untargeted",
        data: without(go({ sequence_order: agents }), "target_agents"),
        at: "/go_details/sequence_order",
        says: "stands without target_agents",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "unscheduled",
        says: "is scheduled without a time",
        at: "/go_details",
        change: [{ op: "remove", path: "/go_details/scheduled_time" }],
      },
      {
        name: "a-stranger-first",
        from: "ordered",
        says: "names an agent who is no target",
        at: "/go_details/sequence_order/0",
        change: add("/go_details/sequence_order/0", "specialist-docs"),
      },
      {
        name: "a-stranger-last",
        from: "ordered",
        says: "names an agent who is no target",
        at: "/go_details/sequence_order/2",
        change: add("/go_details/sequence_order/-", "specialist-tests"),
      },
      {
        name: "a-stranger-instead",
        from: "ordered",
        says: "names an agent who is no target, in place of one",
        at: "/go_details/sequence_order/1",
        change: [{ op: "replace", path: "/go_details/sequence_order/1", value: "specialist-docs" }],
      },
      {
        name: "twice-instead",
        from: "ordered",
        says: "names an agent twice, in place of another",
        at: "/go_details/sequence_order/1",
        change: [{ op: "replace", path: "/go_details/sequence_order/1", value: agents[0] as string }],
      },
      {
        name: "twice",
        from: "ordered",
        says: "names an agent twice",
        at: "/go_details/sequence_order/2",
        change: add("/go_details/sequence_order/-", "specialist-code"),
      },
    ],
    disputed: [
      {
        name: "twice-untargeted",
        from: "untargeted",
        says: "names an agent twice",
        at: "/go_details/sequence_order/2",
        change: add("/go_details/sequence_order/-", "specialist-test"),
        readings: [
          { verdict: "valid", by: ["specification"], why: "each once, when both lists are given, and one is not" },
          { verdict: "invalid", by: ["strict reading"], why: "an order names nobody twice" },
        ],
      },
      {
        name: "sequential-without-order",
        from: "ordered",
        says: "is sequential without an order",
        at: "/go_details",
        change: [{ op: "remove", path: "/go_details/sequence_order" }],
        readings: omitted("a sequence has an order"),
      },
      {
        name: "one-left-out",
        from: "ordered",
        says: "leaves a target out",
        change: [{ op: "remove", path: "/go_details/sequence_order/1" }],
        readings: omitted("the order names every target"),
      },
    ],
  },
  {
    rule: "CONV-COORD-008",
    document,
    valid: [
      { name: "another-cue", data: cue("go", { auto_follow: "CUE-200" }), at: "/auto_follow", says: "is another cue" },
      {
        name: "a-part-of-it",
        data: cue("go", { auto_follow: "CUE-100.1" }),
        at: "/auto_follow",
        says: "only begins with the cue's own id",
        edge: true,
      },
      {
        name: "at-the-same-time",
        data: warned("2026-01-15T10:00:00Z", "2026-01-15T10:00:00Z"),
        at: "/warning_details",
        says: "is prepared when it goes",
        edge: true,
      },
      {
        name: "in-other-zones",
        data: warned("2026-01-15T11:30:00+02:00", "2026-01-15T10:00:00Z"),
        at: "/warning_details",
        says: "is prepared half an hour before, told in another zone",
      },
    ],
    invalid: [
      { name: "itself", says: "is the cue itself", change: set("/auto_follow", "CUE-100") },
      {
        name: "prepared-too-late",
        from: "at-the-same-time",
        says: "is later than the go",
        change: set("/warning_details/preparation_deadline", "2026-01-15T10:00:00.001Z"),
      },
      {
        name: "prepared-too-late-in-another-zone",
        from: "in-other-zones",
        says: "is later than the go, though its digits are smaller",
        change: set("/warning_details/preparation_deadline", "2026-01-15T09:30:00-02:00"),
      },
    ],
  },
  {
    rule: "CONV-CUE-005",
    document,
    valid: [
      { name: "orchestrator-main", data: cue("go"), at: "/sender", says: "is an orchestrator" },
      {
        name: "orchestrator",
        data: cue("go", { sender: "orchestrator" }),
        at: "/sender",
        says: "is the orchestrator",
        edge: true,
      },
      {
        name: "warning-by-another",
        data: cue("warning", { sender: "specialist-code" }),
        at: "/sender",
        says: "is no orchestrator, and gives no go",
      },
    ],
    invalid: [
      { name: "specialist", says: "is no orchestrator", change: set("/sender", "specialist-code") },
      { name: "hub", says: "is a hub", change: set("/sender", "hub") },
      {
        name: "begins-the-same",
        from: "orchestrator",
        says: "only begins like an orchestrator",
        change: set("/sender", "orchestrators"),
      },
      {
        name: "ends-the-same",
        from: "orchestrator",
        says: "only ends like an orchestrator",
        change: set("/sender", "vice-orchestrator"),
      },
    ],
  },
];

function warned(preparation_deadline: string, estimated_go_time: string): JsonObject {
  return cue("warning", { warning_details: { preparation_deadline, estimated_go_time } });
}
