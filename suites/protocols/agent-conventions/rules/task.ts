import type { Checker } from "../../../../schemas/index.ts";
import { member, specificOf, textAt, textsAt } from "./messages.ts";

const documents = ["task"] as const;

/** The types of message to which each block belongs. */
const blocks: Record<string, readonly string[]> = {
  task: ["assignment", "update"],
  progress: ["update"],
  completion: ["complete"],
  failure: ["failed"],
  handoff: ["handoff"],
};

const longNumber: Checker = {
  rule: "CONV-TASK-002",
  documents,
  *check(message) {
    const id = textAt(message, "task_id");
    if (id !== undefined && /^[A-Z]{3,4}-[0-9]{1,2}(\.[0-9]+)?$/.test(id))
      yield { at: "/task_id", why: `is "${id}", whose number has fewer than three digits` };
  },
};

const ownBlocks: Checker = {
  rule: "CONV-TASK-009",
  documents,
  *check(message) {
    const specific = specificOf(message);
    for (const [name, types] of Object.entries(blocks)) {
      if (member(message, name) !== undefined && specific !== "" && !types.includes(specific))
        yield { at: `/${name}`, why: `does not belong into task.${specific}` };
    }
  },
};

const hasBlock: Checker = {
  rule: "CONV-TASK-010",
  documents,
  *check(message) {
    const specific = specificOf(message);
    if (specific === "failed" && member(message, "failure") === undefined) yield { at: "", why: "tells of no failure" };
    if (specific === "handoff" && member(message, "handoff") === undefined) yield { at: "", why: "has no handoff" };
    if (specific === "assignment" && member(member(message, "task"), "description") === undefined)
      yield { at: member(message, "task") === undefined ? "" : "/task", why: "describes no task" };
  },
};

const oneTaskId: Checker = {
  rule: "CONV-TASK-011",
  documents,
  *check(message) {
    const copy = member(member(message, "task"), "task_id");
    const id = textAt(message, "task_id");
    if (id !== undefined && copy !== undefined && copy !== id)
      yield { at: "/task/task_id", why: `is ${JSON.stringify(copy)}, and the message is about ${id}` };
  },
};

/** Recipients that pass a handoff on. */
const passesOn = /^(hub|orchestrator)(-.+)?$|^broadcast$/;

const twoAgents: Checker = {
  rule: "CONV-TASK-012",
  documents,
  *check(message) {
    const block = member(message, "handoff");
    const from = textAt(block, "from_agent");
    const to = textAt(block, "to_agent");
    const recipient = textAt(message, "recipient") ?? "";
    const sender = textAt(message, "sender");
    if (from === undefined || to === undefined) return;
    if (from === to) yield { at: "/handoff/to_agent", why: `is ${to}, who hands it off` };
    else if (to !== recipient && !passesOn.test(recipient))
      yield { at: "/handoff/to_agent", why: `is ${to}, and the message goes to ${recipient}` };
    if (sender !== undefined && from !== sender)
      yield { at: "/handoff/from_agent", why: `is ${from}, and the message comes from ${sender}` };
  },
};

const notItself: Checker = {
  rule: "CONV-TASK-013",
  documents,
  *check(message) {
    const id = textAt(message, "task_id");
    for (const { text, index } of textsAt(member(message, "task"), "dependencies"))
      if (text === id) yield { at: `/task/dependencies/${index}`, why: `is ${text}, the task itself` };
  },
};

export const taskCheckers: readonly Checker[] = [longNumber, ownBlocks, hasBlock, oneTaskId, twoAgents, notItself];
