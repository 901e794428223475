import { expect, it } from "vitest";
import { enumValuesOf, membersOf, transitionsOf } from "./member-lists.ts";

it("reads the states of a task and their transitions from the schema and the rule", () => {
  expect(transitionsOf("SNAP-TASK-001")).toEqual({
    nextStates: {
      submitted: ["working", "failed", "canceled"],
      working: ["input_required", "completed", "failed", "canceled"],
      input_required: ["working", "failed", "canceled"],
    },
    finalStates: ["completed", "failed", "canceled"],
  });
  expect(enumValuesOf("MessageType")).toEqual(["request", "response", "event"]);
  expect(membersOf("envelope")).toContain("timestamp");
});
