import type { Checker, Json } from "../../../../../schemas/index.ts";
import { checkers } from "../index.ts";

/** The checks on recorded sessions. */
export const sessionCheckers: readonly Checker[] = checkers.filter(({ documents }) => documents.includes("session"));

/** The findings in a recording, as texts of the rule, the location, and the level if it differs from the rule's. */
export function brokenRules(trace: Json): string[] {
  return sessionCheckers.flatMap(({ rule, check }) =>
    [...(check?.(trace, "session") ?? [])].map(({ at, level }) =>
      [rule.slice("AAEP-".length), at, ...(level === undefined ? [] : [level])].join(" "),
    ),
  );
}
