import type { Checker } from "../../../../schemas/index.ts";
import { member, specificOf, textAt } from "./messages.ts";

const documents = ["task"] as const;

const blockChecker: Checker = {
  rule: "CONV-TASK-010",
  documents,
  *check(message) {
    const specific = specificOf(message);
    if (specific === "failed" && member(message, "failure") === undefined) yield { at: "", why: "reports no failure" };
    if (specific === "handoff" && member(message, "handoff") === undefined) yield { at: "", why: "has no handoff" };
    if (specific === "assignment" && member(member(message, "task"), "description") === undefined)
      yield { at: member(message, "task") === undefined ? "" : "/task", why: "describes no task" };
  },
};

/** Matches recipients that forward a handoff. */
const forwardingRecipient = /^(hub|orchestrator)(-.+)?$|^broadcast$/;

const handoffChecker: Checker = {
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
    else if (to !== recipient && !forwardingRecipient.test(recipient))
      yield { at: "/handoff/to_agent", why: `is ${to}, and the message goes to ${recipient}` };
    if (sender !== undefined && from !== sender)
      yield { at: "/handoff/from_agent", why: `is ${from}, and the message comes from ${sender}` };
  },
};

export const taskCheckers: readonly Checker[] = [blockChecker, handoffChecker];
