import type { Checker } from "../../../../schemas/index.ts";

/** Checkers of AHCP as those of the rules with the same numbers. */
export function renameCheckers(checkers: readonly Checker[]): Checker[] {
  return checkers.map((checker) => ({ ...checker, rule: checker.rule.replace("AHCP-", "MA2H-") }));
}
