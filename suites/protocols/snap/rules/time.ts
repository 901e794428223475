import { type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";

/** Seconds by which the clocks of two agents may differ. */
const drift = 60;

/** Whether a recipient accepts the message at that time, in seconds. Responses and events are not held to it. */
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
