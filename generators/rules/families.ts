import { families } from "./index.ts";
import type { Checker, RuleFamily } from "../../schemas/contracts/checker.ts";

/** What decides the rules of a protocol beyond its schemas, and what shows it; nothing for a protocol that is not one of ours. */
export function ruleFamilies(protocol: string): readonly RuleFamily[] {
  return families[protocol] ?? [];
}

/** The checkers of a document's rules, in order. */
export function checkersOf(protocol: string, document: string): Checker[] {
  return ruleFamilies(protocol).flatMap(({ checkers }) =>
    checkers.filter(({ documents }) => documents.includes(document)),
  );
}
