import { type Checker, isObject } from "../../../../schemas/index.ts";

/** The first digit of the error codes for each cause. */
export const ranges: Readonly<Record<string, string>> = {
  "unknown-task": "1",
  "task-not-cancelable": "1",
  "malformed-payload": "1",
  "unsupported-content": "1",
  "unknown-method": "1",
  "wrong-signature": "2",
  "stale-timestamp": "2",
  "repeated-message": "2",
  "agent-not-found": "3",
  "card-expired": "3",
  "relay-unreachable": "3",
  "unknown-skill": "3",
  "no-transport": "4",
  "connection-timeout": "4",
  "connection-refused": "4",
  "failed-tls": "4",
  "internal-fault": "5",
  "rate-limit": "5",
  unavailable: "5",
  "unsupported-version": "5",
  maintenance: "5",
};

export const refusalCheckers: readonly Checker[] = [
  {
    rule: "SNAP-ERR-001",
    documents: ["refusal"],
    *check(instance) {
      if (!isObject(instance)) return;
      const { cause, error } = instance;
      const range = typeof cause === "string" && Object.hasOwn(ranges, cause) ? ranges[cause] : undefined;
      const code = isObject(error) ? error.code : undefined;
      if (range === undefined || typeof code !== "number" || !Number.isInteger(code)) return;
      if (Math.floor(code / 1000) !== Number(range))
        yield { at: "/error/code", why: `is ${code}, which is not in the range from ${range}000 for ${cause}` };
    },
  },
];
