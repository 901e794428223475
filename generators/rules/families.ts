import type { Checker, RuleFamily } from "../../schemas/index.ts";

/** The checkers of a document's rules, in order. */
export function checkersOf(families: readonly RuleFamily[], document: string): Checker[] {
  return families.flatMap(({ checkers }) => checkers.filter(({ documents }) => documents.includes(document)));
}
