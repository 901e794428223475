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

/** An instance's breaches of a document's semantic rules. */
export function findings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  instance: Json,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() => allOf(protocol.rules, checkers, (checker) => checker.check?.(instance, document)));
}

/** The rules as they bind the author of an instance: what only its reader may forgive is a fault. */
export function rulesOfAuthor(rules: readonly Rule[]): Rule[] {
  return rules.map(({ verdict, author, ...rule }): Rule => {
    const isReaders = author === undefined && verdict !== undefined;
    return isReaders ? { ...rule, verdict } : rule;
  });
}

/** A text's breaches, by its bytes, of a document's rules about texts. */
export function textFindings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  bytes: Uint8Array,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() => allOf(protocol.rules, checkers, (checker) => checker.read?.(bytes, document)));
}

/** Most instances break nothing: a checker without a breach costs no memory. */
function allOf(
  rules: readonly Rule[],
  checkers: readonly Checker[],
  ask: (checker: Checker) => Iterable<Breach> | undefined,
): RuleViolation[] {
  const all: RuleViolation[] = [];
  for (const checker of checkers) {
    const breaches = ask(checker);
    if (breaches === undefined) continue;
    for (const breach of breaches) all.push(finding(rules, checker, breach));
  }
  return all;
}

function finding(rules: readonly Rule[], { rule: id }: Checker, breach: Breach): RuleViolation {
  const rule = rules.find((each) => each.id === id);
  return { rule: id, ...breach, level: rule === undefined ? (breach.level ?? "MUST") : atMost(rule, breach.level) };
}

/** How much a statement about a rule counts: never more than a breach of the rule. */
export function atMost(rule: Rule, level: Level = "MUST"): Level {
  const most = levelOf(rule);
  return levels.indexOf(level) > levels.indexOf(most) ? level : most;
}
