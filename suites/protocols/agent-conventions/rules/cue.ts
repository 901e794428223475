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
      yield { at, why: "is scheduled and has no scheduled_time" };
    const hasOrder = member(details, "sequence_order") !== undefined;
    if (textAt(details, "synchronization") === "sequential" && !hasOrder)
      yield { at, why: "is sequential and has no order", level: "MAY" };
    const order = textsAt(details, "sequence_order");
    const texts = order.map(({ text }) => text);
    const targets = textsAt(message, "target_agents").map(({ text }) => text);
    const hasTargets = Array.isArray(member(message, "target_agents"));
    for (const { text, index } of order) {
      const place = `${at}/sequence_order/${index}`;
      // The rule is about two lists. Whether one list alone may repeat an item can be read either way.
      if (texts.indexOf(text) < index)
        yield { at: place, why: `names ${text} again`, ...(hasTargets ? {} : { level: "MAY" }) };
      else if (hasTargets && !targets.includes(text)) yield { at: place, why: `names ${text}, which is not a target` };
    }
    const missingTargets = targets.filter((target) => !texts.includes(target));
    if (hasOrder && missingTargets.length > 0)
      yield { at: `${at}/sequence_order`, why: `leaves out ${missingTargets.join(", ")}`, level: "MAY" };
  },
};

const nextCueChecker: Checker = {
  rule: "CONV-COORD-008",
  documents,
  *check(message) {
    const next = textAt(message, "auto_follow");
    if (next !== undefined && next === textAt(message, "cue_id"))
      yield { at: "/auto_follow", why: `is ${next}, the cue itself` };
    const details = member(message, "warning_details");
    const preparationDeadline = momentOf(textAt(details, "preparation_deadline") ?? "");
    const goTime = momentOf(textAt(details, "estimated_go_time") ?? "");
    if (preparationDeadline !== undefined && goTime !== undefined && preparationDeadline > goTime)
      yield { at: "/warning_details/preparation_deadline", why: "is later than the estimated go time" };
  },
};

export const cueCheckers: readonly Checker[] = [orderChecker, nextCueChecker];
