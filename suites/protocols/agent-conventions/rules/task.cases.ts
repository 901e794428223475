import { add, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { assignment, handoff, report } from "./messages.ts";

const document = "task";
const failure = { reason: "The disk is full.", can_retry: true };
const deal = { from_agent: "specialist-code", to_agent: "specialist-test" };

export const taskCases: readonly Cases[] = [
  {
    rule: "CONV-TASK-002",
    document,
    valid: [
      { name: "three-digits", data: assignment(), at: "/task_id", says: "has three digits", edge: true },
      {
        name: "put-in-between",
        data: assignment({ task_id: "CODE-100.5" }),
        at: "/task_id",
        says: "has a decimal part",
      },
      {
        name: "leading-zero",
        data: assignment({ task_id: "CODE-050" }),
        at: "/task_id",
        says: "has three digits, the first a zero",
      },
    ],
    invalid: [
      { name: "two-digits", says: "has two digits", edge: true, change: set("/task_id", "CODE-99") },
      { name: "one-digit", says: "has one digit", change: set("/task_id", "CODE-1") },
      {
        name: "digits-behind-the-point",
        says: "has its digits behind the point",
        change: set("/task_id", "CODE-1.500"),
      },
    ],
  },
  {
    rule: "CONV-TASK-009",
    document,
    valid: [
      { name: "assignment-with-task", data: assignment(), at: "/task", says: "belongs into an assignment" },
      {
        name: "update-with-both",
        data: report("update", { task: { priority: "low" }, progress: { percent_complete: 50 } }),
        says: "is an update with both its blocks",
        edge: true,
      },
      {
        name: "complete",
        data: report("complete", { completion: { summary: "Done." } }),
        at: "/completion",
        says: "belongs into a completion",
      },
      { name: "failed", data: report("failed", { failure }), at: "/failure", says: "belongs into a failure" },
      { name: "handoff", data: handoff(), at: "/handoff", says: "belongs into a handoff" },
      { name: "update-without-any", data: report("update"), says: "is an update without a block" },
    ],
    invalid: [
      { name: "assignment-with-failure", says: "belongs into task.failed", change: add("/failure", failure) },
      {
        name: "assignment-with-handoff",
        says: "belongs into task.handoff, though it is between sender and recipient",
        change: add("/handoff", { from_agent: "orchestrator-main", to_agent: "specialist-code" }),
      },
      { name: "assignment-with-progress", says: "belongs into task.update", change: add("/progress", {}) },
      {
        name: "update-with-completion",
        from: "update-without-any",
        says: "belongs into task.complete",
        change: add("/completion", {}),
      },
      {
        name: "update-with-failure",
        from: "update-without-any",
        says: "belongs into task.failed",
        change: add("/failure", failure),
      },
      {
        name: "update-with-handoff",
        from: "update-without-any",
        says: "belongs into task.handoff",
        change: add("/handoff", deal),
      },
      {
        name: "complete-with-task",
        from: "complete",
        says: "belongs into an assignment or update",
        change: add("/task", {}),
      },
      {
        name: "complete-with-progress",
        from: "complete",
        says: "belongs into task.update",
        change: add("/progress", { percent_complete: 100 }),
      },
      {
        name: "failed-with-completion",
        from: "failed",
        says: "belongs into task.complete",
        change: add("/completion", {}),
      },
      {
        name: "handoff-with-task",
        from: "handoff",
        says: "belongs into an assignment or update",
        change: add("/task", { description: "Test it." }),
      },
    ],
  },
  {
    rule: "CONV-TASK-010",
    document,
    valid: [
      { name: "failed", data: report("failed", { failure }), says: "tells of its failure" },
      { name: "handoff", data: handoff(), says: "has its handoff" },
      {
        name: "assignment",
        data: assignment({ task: { description: "." } }),
        says: "describes its task in one character",
        edge: true,
      },
      { name: "complete", data: report("complete"), says: "is complete, and need not say more" },
    ],
    invalid: [
      {
        name: "failed-bare",
        from: "failed",
        says: "tells of no failure",
        change: [{ op: "remove", path: "/failure" }],
      },
      { name: "handoff-bare", from: "handoff", says: "has no handoff", change: [{ op: "remove", path: "/handoff" }] },
      { name: "assignment-bare", from: "assignment", says: "has no task", change: [{ op: "remove", path: "/task" }] },
      {
        name: "assignment-undescribed",
        from: "assignment",
        says: "has no description",
        change: [{ op: "remove", path: "/task/description" }],
      },
    ],
  },
  {
    rule: "CONV-TASK-011",
    document,
    valid: [
      { name: "root-only", data: assignment(), at: "/task_id", says: "stands at the root" },
      {
        name: "same-twice",
        data: assignment({ task: { description: "Write it.", task_id: "CODE-100" } }),
        at: "/task/task_id",
        says: "repeats the one at the root",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "another",
        from: "same-twice",
        says: "differs from the one at the root",
        change: set("/task/task_id", "CODE-200"),
      },
      {
        name: "other-digits",
        from: "same-twice",
        says: "is the same number written otherwise",
        change: set("/task/task_id", "CODE-0100"),
      },
      { name: "no-text", from: "same-twice", says: "is a number", change: set("/task/task_id", 100) },
    ],
  },
  {
    rule: "CONV-TASK-012",
    document,
    valid: [
      { name: "from-sender-to-recipient", data: handoff(), at: "/handoff", says: "names sender and recipient" },
      {
        name: "through-the-hub",
        data: handoff({ recipient: "hub" }),
        at: "/recipient",
        says: "is the hub, which passes it on",
        edge: true,
      },
      {
        name: "through-an-orchestrator",
        data: handoff({ recipient: "orchestrator-main" }),
        at: "/recipient",
        says: "is an orchestrator, who passes it on",
      },
      { name: "to-all", data: handoff({ recipient: "broadcast" }), at: "/recipient", says: "is everybody" },
    ],
    invalid: [
      {
        name: "to-itself",
        says: "hands the task to the one who has it",
        at: "/handoff/to_agent",
        change: [...set("/handoff/to_agent", "specialist-code"), ...set("/recipient", "specialist-code")],
      },
      { name: "another-recipient", says: "is not the recipient", change: set("/handoff/to_agent", "specialist-docs") },
      { name: "another-sender", says: "is not the sender", change: set("/handoff/from_agent", "specialist-docs") },
      {
        name: "to-a-hubble",
        says: "is neither the recipient nor behind a hub",
        from: "through-the-hub",
        at: "/recipient",
        change: set("/recipient", "hubble-x"),
      },
    ],
  },
  {
    rule: "CONV-TASK-013",
    document,
    valid: [
      {
        name: "on-another",
        data: assignment({ task: { description: "Write it.", dependencies: ["CODE-050"] } }),
        at: "/task/dependencies",
        says: "names another task",
      },
      {
        name: "on-a-part",
        data: assignment({ task: { description: "Write it.", dependencies: ["CODE-100.5", "CODE-1000"] } }),
        at: "/task/dependencies",
        says: "names tasks whose ids begin the same",
        edge: true,
      },
      {
        name: "on-none",
        data: assignment({ task: { description: "Write it.", dependencies: [] } }),
        at: "/task/dependencies",
        says: "names none",
      },
    ],
    invalid: [
      { name: "on-itself", says: "is the task itself", change: set("/task/dependencies/0", "CODE-100") },
      {
        name: "last-on-itself",
        from: "on-a-part",
        says: "is the task itself",
        change: add("/task/dependencies/-", "CODE-100"),
      },
    ],
  },
];
