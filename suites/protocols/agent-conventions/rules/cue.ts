import type { Checker } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { momentOf } from "./time.ts";

const documents = ["coordination"] as const;

const orderChecker: Checker = {
  rule: "CONV-COORD-007",
  documents,
  *check(message) {
    const details = member(message, "go_details");
    const at = "/go_details";
    if (textAt(details, "execution_type") === "scheduled" && member(details, "scheduled_time") === undefined)
      yield { at, why: "is scheduled but has no scheduled_time" };
    const hasOrder = member(details, "sequence_order") !== undefined;
    if (textAt(details, "synchronization") === "sequential" && !hasOrder)
      yield { at, why: "is sequential but has no sequence_order", level: "MAY" };
    const order = textsAt(details, "sequence_order");
    const orderedAgents = order.map(({ text }) => text);
    const targets = textsAt(message, "target_agents").map(({ text }) => text);
    const hasTargets = Array.isArray(member(message, "target_agents"));
    for (const { text, index } of order) {
      const place = `${at}/sequence_order/${index}`;
      // The rule compares the order with the targets. It is unclear whether an order may repeat an agent if no targets are listed.
      if (orderedAgents.indexOf(text) < index)
        yield { at: place, why: `repeats ${text}`, ...(hasTargets ? {} : { level: "MAY" }) };
      else if (hasTargets && !targets.includes(text)) yield { at: place, why: `names ${text}, which is not a target` };
    }
    const missingTargets = targets.filter((target) => !orderedAgents.includes(target));
    if (hasOrder && missingTargets.length > 0)
      yield { at: `${at}/sequence_order`, why: `omits ${missingTargets.join(", ")}`, level: "MAY" };
  },
};

const nextCueChecker: Checker = {
  rule: "CONV-COORD-008",
  documents,
  *check(message) {
    const nextCue = textAt(message, "auto_follow");
    if (nextCue !== undefined && nextCue === textAt(message, "cue_id"))
      yield { at: "/auto_follow", why: `is ${nextCue}, the cue itself` };
    const details = member(message, "warning_details");
    const preparationDeadline = momentOf(textAt(details, "preparation_deadline") ?? "");
    const goTime = momentOf(textAt(details, "estimated_go_time") ?? "");
    if (preparationDeadline !== undefined && goTime !== undefined && preparationDeadline > goTime)
      yield { at: "/warning_details/preparation_deadline", why: "is later than the estimated go time" };
  },
};

export const cueCheckers: readonly Checker[] = [orderChecker, nextCueChecker];
