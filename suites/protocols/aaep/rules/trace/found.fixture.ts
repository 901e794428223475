import type { Checker, Json } from "../../../../../schemas/index.ts";
import { checkers } from "../index.ts";

/** The checks on recorded sessions. */
export const sessionCheckers: readonly Checker[] = checkers.filter(({ documents }) => documents.includes("session"));

/** What a recording breaks: rule, place and level, where that is not the rule's own. */
export function brokenRules(trace: Json): string[] {
  return sessionCheckers.flatMap(({ rule, check }) =>
    [...(check?.(trace, "session") ?? [])].map(({ at, level }) =>
      [rule.slice("AAEP-".length), at, ...(level === undefined ? [] : [level])].join(" "),
    ),
  );
}
