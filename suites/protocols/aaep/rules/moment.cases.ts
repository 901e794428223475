import { set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";

const answers: Readonly<Record<string, JsonObject>> = {
  "confirmation.reply": { decision: "reject" },
  "clarification.reply": { response: "Curlew" },
};

/** What the rule on one kind of reply is tried with. */
export function cases(document: string, rule: string): Cases[] {
  const at = "/timestamp";
  const decided = (timestamp: string): JsonObject => ({
    ...{ type: document, reply_token: "rpl_4wait", ...answers[document] },
    ...{ subscription_id: "sub_p4", timestamp },
  });
  const wrong = (name: string, says: string, timestamp: string) => ({ name, says, change: set(at, timestamp) });
  return [
    {
      rule,
      document,
      valid: [
        { name: "as-of-an-event", says: "is as events have it", at, data: decided("2026-01-15T09:30:40Z") },
        {
          name: "one-digit-and-offset",
          says: "has one digit and an offset, in small letters",
          at,
          edge: true,
          data: decided("2026-01-15t09:30:40.5+05:30"),
        },
      ],
      invalid: [
        wrong("space", "has a space for T", "2026-01-15 09:30:40Z"),
        wrong("offset-without-colon", "has no colon in its offset", "2026-01-15T09:30:40+0530"),
        wrong("hours-only-offset", "has an offset of hours alone", "2026-01-15T09:30:40+05"),
      ],
    },
  ];
}
