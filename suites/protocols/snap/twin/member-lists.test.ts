import { expect, it } from "vitest";
import { listedIn, membersOf, stepsOf as transitionsOf } from "./member-lists.ts";

it("reads the states of a task and their transitions from the schema and the rule", () => {
  expect(transitionsOf("SNAP-TASK-001")).toEqual({
    next: {
      submitted: ["working", "failed", "canceled"],
      working: ["input_required", "completed", "failed", "canceled"],
      input_required: ["working", "failed", "canceled"],
    },
    over: ["completed", "failed", "canceled"],
  });
  expect(listedIn("MessageType")).toEqual(["request", "response", "event"]);
  expect(membersOf("envelope")).toContain("timestamp");
});
