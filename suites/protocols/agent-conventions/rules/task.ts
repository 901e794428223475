import type { Checker } from "../../../../schemas/index.ts";
import { member, specificOf, textAt } from "./messages.ts";

const documents = ["task"] as const;

const blockChecker: Checker = {
  rule: "CONV-TASK-010",
  documents,
  *check(message) {
    const specific = specificOf(message);
    if (specific === "failed" && member(message, "failure") === undefined)
      yield { at: "", why: "does not describe the failure" };
    if (specific === "handoff" && member(message, "handoff") === undefined) yield { at: "", why: "has no handoff" };
    if (specific === "assignment" && member(member(message, "task"), "description") === undefined)
      yield { at: member(message, "task") === undefined ? "" : "/task", why: "does not describe the task" };
  },
};

/** Matches recipients that forward a handoff. */
const forwardingRecipient = /^(hub|orchestrator)(-.+)?$|^broadcast$/;

const handoffChecker: Checker = {
  rule: "CONV-TASK-012",
  documents,
  *check(message) {
    const block = member(message, "handoff");
    const fromAgent = textAt(block, "from_agent");
    const toAgent = textAt(block, "to_agent");
    const recipient = textAt(message, "recipient") ?? "";
    const sender = textAt(message, "sender");
    if (fromAgent === undefined || toAgent === undefined) return;
    if (fromAgent === toAgent)
      yield { at: "/handoff/to_agent", why: `is ${toAgent}, which is also the agent that hands it off` };
    else if (toAgent !== recipient && !forwardingRecipient.test(recipient))
      yield { at: "/handoff/to_agent", why: `is ${toAgent}, and the message goes to ${recipient}` };
    if (sender !== undefined && fromAgent !== sender)
      yield { at: "/handoff/from_agent", why: `is ${fromAgent}, and the message comes from ${sender}` };
  },
};

export const taskCheckers: readonly Checker[] = [blockChecker, handoffChecker];
