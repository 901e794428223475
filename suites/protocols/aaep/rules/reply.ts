import { type Checker, isObject, type RuleFamily } from "../../../../schemas/index.ts";
import { cases } from "./reply.cases.ts";

/** What validators let pass as the time of a reply and RFC 3339 does not, as the protocol reads it. */
export const reply: RuleFamily = {
  name: "reply",
  checkers: [stamped("AAEP-RPL-003", "confirmation.reply"), stamped("AAEP-RPL-004", "clarification.reply")],
  cases,
};

function stamped(rule: string, document: string): Checker {
  return {
    rule,
    documents: [document],
    *check(instance) {
      const stamp = isObject(instance) ? instance.timestamp : undefined;
      if (typeof stamp === "string" && nearly.test(stamp) && !exactly.test(stamp))
        yield { at: "/timestamp", why: `is "${stamp}", with a space for the T or an offset without its colon` };
    },
  };
}

// What is further from a date-time is the schema's matter, and so is the calendar.
const nearly = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const exactly = /^.{10}[Tt].*(?:[Zz]|[+-]\d{2}:\d{2})$/;
