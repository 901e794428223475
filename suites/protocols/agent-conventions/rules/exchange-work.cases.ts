import { remove, set, without } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { assignment, escalation, report, status, uuid } from "./messages.ts";
import { recording } from "./recording.ts";

const document = "exchange";

const first = assignment({ task_id: "CODE-100", task: { description: "Write it." } });
const second = assignment({ task_id: "CODE-200", task: { description: "Test it.", dependencies: ["CODE-100"] } });
const third = assignment({ task_id: "CODE-300", task: { description: "Ship it.", dependencies: ["CODE-200"] } });
const busyWith = (task: string): JsonObject => status("busy", { context: { current_task: task } });
const failed = report("failed", { failure: { reason: "No room.", can_retry: false } });
const tier = (escalation_tier: number, operation = "build"): JsonObject =>
  escalation("error", "resource", {
    escalation_tier,
    requires_human: escalation_tier === 4,
    context: { task_id: "CODE-100", operation, expected: "an answer", actual: "none" },
  });

export const exchangeWorkCases: readonly Cases[] = [
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
      {
        name: "said-by-its-giver",
        data: recording(first, second, {
          ...assignment({ task_id: "CODE-200", task: { priority: "high" } }),
          message_type: "task.update",
        }),
        at: "/2/message",
        says: "is repeated by who assigned it, which begins nothing",
        edge: true,
      },
      {
        name: "held-up",
        data: recording(first, second, report("update", { task_id: "CODE-200", progress: { status: "blocked" } })),
        at: "/2/message",
        says: "is said to be blocked, which begins nothing",
        edge: true,
      },
      {
        name: "chain",
        data: recording(
          first,
          second,
          third,
          busyWith("CODE-100"),
          report("complete"),
          report("complete", { task_id: "CODE-200" }),
          busyWith("CODE-300"),
        ),
        says: "goes through a chain of three",
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
        name: "at-two-removes",
        from: "chain",
        says: "begins the third task before the first",
        at: "/3/message",
        change: [...remove("/5"), ...remove("/4"), ...remove("/3")],
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
    disputed: [
      {
        name: "dependency-unseen",
        says: "depends on what the recording does not have",
        change: [...remove("/3"), ...remove("/2"), ...remove("/0")],
        readings: [
          {
            verdict: "valid",
            by: ["specification"],
            why: "the dependency may have been complete before the recording began",
          },
          { verdict: "invalid", by: ["strict reading"], why: "nothing shows that the dependency is complete" },
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
      {
        name: "complete-in-between",
        data: recording(tier(3), report("complete"), first, tier(1)),
        says: "begins anew once the task was complete",
        edge: true,
      },
      {
        name: "no-context",
        data: recording(without(tier(3), "context"), { ...without(tier(1), "context"), sender: "specialist-test" }),
        level: "SHOULD",
        says: "names no problem, so that nobody can tell whether it is one",
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
