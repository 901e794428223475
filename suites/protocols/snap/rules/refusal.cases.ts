import type { Cases, InvalidCase, ValidCase } from "../../../../schemas/index.ts";
import { replaced } from "./messages.ts";

/** What the ranges of codes are tried with: each cause with its code, and with that of another. */
export function refusalCases(): Cases[] {
  const at = "/error/code";
  const valid = (cause: string, code: number, edge?: true): ValidCase => ({
    name: cause,
    says: `is in the range for ${cause}`,
    at,
    data: { cause, error: { code, message: "Not possible." } },
    ...(edge === undefined ? {} : { edge }),
  });
  const wrong = (cause: string, code: number, edge?: true): InvalidCase => ({
    ...replaced(`${cause}-${code}`, `is in another range than that for ${cause}`, at, code, cause),
    ...(edge === undefined ? {} : { edge }),
  });
  return [
    {
      rule: "SNAP-ERR-001",
      document: "refusal",
      valid: [
        valid("wrong-signature", 2001),
        valid("unknown-task", 1001, true),
        valid("unknown-method", 1007, true),
        valid("agent-not-found", 3001),
        valid("relay-unreachable", 3004, true),
        valid("connection-refused", 4003),
        valid("internal-fault", 5001, true),
        valid("unsupported-version", 5004),
        valid("stale-timestamp", 2004),
        valid("repeated-message", 2006, true),
      ],
      invalid: [
        wrong("wrong-signature", 5001),
        wrong("wrong-signature", 1003, true),
        wrong("unknown-task", 3001),
        wrong("unknown-method", 5001),
        wrong("agent-not-found", 1001),
        wrong("relay-unreachable", 5001),
        wrong("connection-refused", 5003),
        wrong("internal-fault", 1004),
        wrong("unsupported-version", 1003),
        wrong("stale-timestamp", 4002),
        wrong("repeated-message", 1003),
      ],
    },
  ];
}
