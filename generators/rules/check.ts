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

/** Finds an instance's breaches of a document's semantic rules. */
export function findings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  instance: Json,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() => violationsBy(protocol.rules, checkers, (checker) => checker.check?.(instance, document)));
}

/** Returns the rules as they bind the author of an instance. A fault that only a reader may tolerate is still the author's fault. */
export function rulesOfAuthor(rules: readonly Rule[]): Rule[] {
  return rules.map(({ verdict, author, ...rule }): Rule => {
    const bindsReaderOnly = author === undefined && verdict !== undefined;
    return bindsReaderOnly ? { ...rule, verdict } : rule;
  });
}

/** Like `findings`, for the rules about the raw bytes of a text. */
export function textFindings(
  protocol: Pick<RuledProtocol, "rules" | "families">,
  document: string,
  bytes: Uint8Array,
  checkers: readonly Checker[] = checkersOf(protocol.families, document),
): RuleViolation[] {
  return inOnePass(() => violationsBy(protocol.rules, checkers, (checker) => checker.read?.(bytes, document)));
}

/** Most instances break nothing, so a checker without a breach allocates nothing. */
function violationsBy(
  rules: readonly Rule[],
  checkers: readonly Checker[],
  runChecker: (checker: Checker) => Iterable<Breach> | undefined,
): RuleViolation[] {
  const violations: RuleViolation[] = [];
  for (const checker of checkers) {
    const breaches = runChecker(checker);
    if (breaches === undefined) continue;
    for (const breach of breaches) violations.push(violationOf(rules, checker, breach));
  }
  return violations;
}

function violationOf(rules: readonly Rule[], { rule: id }: Checker, breach: Breach): RuleViolation {
  const rule = rules.find((candidate) => candidate.id === id);
  return { rule: id, ...breach, level: rule === undefined ? (breach.level ?? "MUST") : atMost(rule, breach.level) };
}

/** Limits the level of a breach to the level of its rule. */
export function atMost(rule: Rule, level: Level = "MUST"): Level {
  const ruleLevel = levelOf(rule);
  return levels.indexOf(level) > levels.indexOf(ruleLevel) ? level : ruleLevel;
}
