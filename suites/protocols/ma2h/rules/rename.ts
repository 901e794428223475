import type { Checker } from "../../../../schemas/index.ts";

/** Turns AHCP's checkers into checkers of the MA2H rules with the same numbers. */
export function renameCheckers(checkers: readonly Checker[]): Checker[] {
  return checkers.map((checker) => ({ ...checker, rule: checker.rule.replace("AHCP-", "MA2H-") }));
}
