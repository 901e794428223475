import { type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";

/** The maximum difference between the clocks of two agents, in seconds. */
const maxDriftSeconds = 60;

/** Whether a recipient may accept a message at this time, in seconds. Always true for responses and events. */
export function isTimely({ type, timestamp }: JsonObject, now: number): boolean {
  return type !== "request" || typeof timestamp !== "number" || Math.abs(now - timestamp) <= maxDriftSeconds;
}

export const timeCheckers: readonly Checker[] = [
  {
    rule: "SNAP-TIME-001",
    documents: ["reception"],
    *check(instance) {
      if (!isObject(instance)) return;
      const { message, now } = instance;
      if (!isObject(message) || typeof now !== "number" || isTimely(message, now)) return;
      yield {
        at: "/message/timestamp",
        why: `is ${message.timestamp}, more than ${maxDriftSeconds} seconds from ${now}`,
      };
    },
  },
];
