import { set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { assignment, uuid } from "./messages.ts";

/** Assignments of tasks by their numbers, with the numbers on which each depends. */
function assignments(...tasks: [id: string, needs: string[]][]): JsonObject[] {
  return tasks.map(([id, dependencies], index) =>
    assignment({ message_id: uuid(index + 1), task_id: id, task: { description: "Do it.", dependencies } }),
  );
}

const agents = (...all: [id: string, role: string][]): JsonObject => ({
  agents: all.map(([id, role]) => ({ id, role })),
});

export const teamCases: readonly Cases[] = [
  {
    rule: "CONV-DEP-002",
    document: "assignments",
    valid: [
      {
        name: "chain",
        data: assignments(["CODE-100", []], ["CODE-200", ["CODE-100"]], ["CODE-300", ["CODE-200"]]),
        says: "depend on each other in a chain",
      },
      {
        name: "diamond",
        data: assignments(
          ["CODE-100", []],
          ["CODE-200", ["CODE-100"]],
          ["CODE-300", ["CODE-100"]],
          ["CODE-400", ["CODE-200", "CODE-300"]],
        ),
        says: "meet again in one task, which is no circle",
        edge: true,
      },
      {
        name: "later-first",
        data: assignments(["CODE-200", ["CODE-100"]], ["CODE-100", []]),
        says: "name a task that comes later in the list",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "circle-of-two",
        from: "later-first",
        says: "closes a circle of two",
        change: set("/1/task/dependencies", ["CODE-200"]),
        at: "/1/task/dependencies/0",
      },
      {
        name: "circle-of-three",
        says: "closes a circle of three",
        change: set("/0/task/dependencies", ["CODE-300"]),
        at: "/0/task/dependencies",
      },
      {
        name: "circle-behind-a-tail",
        from: "diamond",
        says: "closes a circle that does not come back to where it began",
        change: set("/1/task/dependencies", ["CODE-100", "CODE-400"]),
        at: "/1/task/dependencies/1",
      },
      { name: "unknown", says: "is a task that nobody knows", change: set("/1/task/dependencies/0", "CODE-999") },
      {
        name: "nearly-known",
        says: "is a task that only begins like a known one",
        change: set("/1/task/dependencies/0", "CODE-100.5"),
      },
    ],
  },
  {
    rule: "CONV-NAM-001",
    document: "deployment",
    valid: [
      {
        name: "by-role",
        data: agents(
          ["orchestrator-main", "orchestrator"],
          ["hub-1", "hub"],
          ["tournant-x", "tournant"],
          ["specialist-code", "specialist"],
        ),
        says: "tell their roles by their ids",
      },
      {
        name: "single-words",
        data: agents(["orchestrator", "orchestrator"], ["hub", "hub"], ["tournant", "tournant"]),
        says: "are single words",
        edge: true,
      },
      {
        name: "longer-word",
        data: agents(["hubble-x", "specialist"], ["orchestrators", "specialist"]),
        says: "only begin like a kept name",
        edge: true,
      },
    ],
    invalid: [
      { name: "specialist-as-hub", says: "is a kept name of another role", change: set("/agents/3/id", "hub-code") },
      {
        name: "specialist-as-orchestrator",
        says: "is a kept name of another role",
        change: set("/agents/3/id", "orchestrator"),
      },
      {
        name: "specialist-as-tournant",
        says: "is a kept name of another role",
        change: set("/agents/3/id", "tournant-code"),
      },
      { name: "underscore", says: "has the form of no id", change: set("/agents/3/id", "specialist_code") },
    ],
    disputed: [
      {
        name: "hub-as-specialist",
        says: "does not tell the role",
        change: set("/agents/1/id", "specialist-hub"),
        readings: [
          {
            verdict: "valid",
            by: ["specification"],
            why: "kept names are for their roles; nothing forces a role to use one",
          },
          { verdict: "invalid", by: ["strict reading"], why: "an id begins with the role" },
        ],
      },
    ],
  },
];
