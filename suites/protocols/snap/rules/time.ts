import { type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";

/** The maximum difference between the clocks of two agents, in seconds. */
const drift = 60;

/** Whether a recipient accepts the message at that time, in seconds. The rule does not apply to responses and events. */
export function isTimely({ type, timestamp }: JsonObject, now: number): boolean {
  return type !== "request" || typeof timestamp !== "number" || Math.abs(now - timestamp) <= drift;
}

export const timeCheckers: readonly Checker[] = [
  {
    rule: "SNAP-TIME-001",
    documents: ["reception"],
    *check(instance) {
      if (!isObject(instance)) return;
      const { message, now } = instance;
      if (!isObject(message) || typeof now !== "number" || isTimely(message, now)) return;
      yield { at: "/message/timestamp", why: `is ${message.timestamp}, more than ${drift} seconds from ${now}` };
    },
  },
];
