import { add } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";

const answers: readonly [string, JsonObject][] = [
  ["AAEP-RPL-003", { type: "confirmation.reply", reply_token: "rpl_4wait", decision: "accept" }],
  ["AAEP-RPL-004", { type: "clarification.reply", reply_token: "rpl_6name", response: "Kittiwake" }],
];

export const cases: readonly Cases[] = answers.map(([rule, answer]) => ({
  rule,
  document: String(answer.type),
  valid: ["2026-01-15T09:30:40Z", "2026-01-15T10:30:40.5+01:00"].map((timestamp, index) => ({
    name: index === 0 ? "utc" : "offset",
    at: "/timestamp",
    says: index === 0 ? "is in UTC" : "has an offset with its colon",
    data: { ...answer, subscription_id: "sub_p4", timestamp },
    ...(index === 0 ? {} : { edge: true as const }),
  })),
  invalid: [
    { name: "space", says: "has a space for the T", change: add("/timestamp", "2026-01-15 09:30:40Z") },
    { name: "offset-without-colon", says: "has no colon", change: add("/timestamp", "2026-01-15T10:30:40+0100") },
    { name: "offset-of-hours", says: "has hours alone", change: add("/timestamp", "2026-01-15T10:30:40+01") },
  ],
}));
