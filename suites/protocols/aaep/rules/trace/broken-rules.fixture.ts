import type { Checker, Json } from "../../../../../schemas/index.ts";
import { checkers } from "../index.ts";

/** The checkers of recorded sessions. */
export const sessionCheckers: readonly Checker[] = checkers.filter(({ documents }) => documents.includes("session"));

/** Lists the findings in a recording, each as a string: rule, location, and the level if it differs from the rule's. */
export function brokenRules(trace: Json): string[] {
  return sessionCheckers.flatMap(({ rule, check }) =>
    [...(check?.(trace, "session") ?? [])].map(({ at, level }) =>
      [rule.slice("AAEP-".length), at, ...(level === undefined ? [] : [level])].join(" "),
    ),
  );
}
