import {
  type Breach,
  type Checker,
  type Json,
  type Level,
  levelOf,
  levels,
  type Rule,
  type RuledProtocol,
} from "../../schemas/index.ts";
import { checkersOf } from "./families.ts";
import { inOnePass } from "./pass.ts";

/** A rule that an instance breaks, where, and why. */
export interface RuleViolation extends Breach {
  rule: string;
  level: Level;
}

/** What an instance breaks of a document's semantic rules. */
export function findings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  instance: Json,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() =>
    checkers.flatMap((checker) =>
      [...(checker.check?.(instance, document) ?? [])].map((breach) => finding(protocol.rules, checker, breach)),
    ),
  );
}

/** The same as it counts against whoever wrote the instance, who may be bound to more than its reader is to notice. */
export function findingsOfAuthor(
  { rules, families }: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  instance: Json,
): RuleViolation[] {
  const written = rules.map(({ verdict, author, ...rule }): Rule => {
    const isReaders = author === undefined && verdict !== undefined;
    return isReaders ? { ...rule, verdict } : rule;
  });
  return findings({ rules: written, families }, document, instance);
}

/** What the bytes of a text break of a document's rules about texts. */
export function textFindings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  bytes: Uint8Array,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() =>
    checkers.flatMap((checker) =>
      [...(checker.read?.(bytes, document) ?? [])].map((breach) => finding(protocol.rules, checker, breach)),
    ),
  );
}

function finding(rules: readonly Rule[], { rule: id }: Checker, breach: Breach): RuleViolation {
  const rule = rules.find((each) => each.id === id);
  return { rule: id, ...breach, level: rule === undefined ? (breach.level ?? "MUST") : atMost(rule, breach.level) };
}

/** How much something counts that is said of a rule: never more than a breach of it. */
export function atMost(rule: Rule, level: Level = "MUST"): Level {
  const most = levelOf(rule);
  return levels.indexOf(level) > levels.indexOf(most) ? level : most;
}
