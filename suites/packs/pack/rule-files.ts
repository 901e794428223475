import {
  type Cases,
  type Enforcer,
  equal,
  fixturesOf,
  type Json,
  type PlacedRule,
  type Protocol,
  type RuleFamily,
  ruleFault,
  rulesInFiles,
  type Sign,
  type Walk,
} from "../../../schemas/index.ts";
import { checkersFor } from "./checks.ts";
import { type CaseSources, casesFor } from "./rule-cases.ts";

/** The pack's functions that make the messages of cases: one signs, the other makes recordings. */
export interface CaseMakers {
  seal?: Sign | undefined;
  walk?: Walk | undefined;
}

/** Returns the rule families in a protocol's files, followed by those in its code. A rule without a check in its file may have its checker in the code. `elsewhere` contains the rules that have checkers in the parent pack. Throws a usage error with file and line. */
export async function familiesInFiles(
  protocol: Protocol,
  codeFamilies: readonly RuleFamily[],
  { seal, walk, elsewhere = new Set() }: CaseMakers & { elsewhere?: ReadonlySet<string> } = {},
): Promise<RuleFamily[]> {
  const rules = rulesInFiles(protocol);
  if (rules.length === 0) return [...codeFamilies];
  const { applyChanges } = await import("../../../generators/index.ts");
  const sources = { fixtures: fixturesOf(protocol), applyChanges, ...(seal && { seal }), ...(walk && { walk }) };
  const families = new Map<string, FamilyDraft>();
  const checkersInCode = codeFamilies.flatMap(({ checkers }) => checkers);
  const rulesInCode = new Set(checkersInCode.map(({ rule }) => rule));
  const rulesWithCases = new Set<string>();
  for (const rule of rules) {
    const { name, value } = rule.family;
    const family = families.get(name) ?? { name, seals: value.seals, checkers: [], rules: [], enforcedBy: {} };
    families.set(name, family);
    const checkers = await checkersFor(protocol, rule, checkersInCode);
    const namesFunction = [rule.check].flat().some((check) => typeof check === "string");
    if (checkers.length > 0 && rulesInCode.has(rule.id) && !namesFunction)
      throw ruleFault(
        rule.family,
        `${rule.at}/check`,
        `${rule.id} also has a checker in the code`,
        "remove one of them",
      );
    if (checkers.length > 0 && (protocol.foreign !== true || !rulesInCode.has(rule.id)))
      family.checkers.push(...checkers);
    if (rule.enforcedBy !== undefined) family.enforcedBy[rule.id] = rule.enforcedBy;
    family.rules.push(rule);
    // The build has already checked this for the built-in packs.
    if (protocol.foreign !== true) continue;
    const cases = casesFor(protocol, rule, sources);
    if (cases.length > 0 && checkers.length === 0 && !rulesInCode.has(rule.id) && !elsewhere.has(rule.id))
      throw ruleFault(rule.family, rule.at, `there are cases of ${rule.id}, and no check`, "add its check");
    const casesInCode = codeFamilies.flatMap((ruleFamily) => ruleFamily.cases.filter(({ rule: id }) => id === rule.id));
    if (cases.length > 0 && casesInCode.length > 0 && !haveSameCases(cases, casesInCode))
      throw ruleFault(rule.family, rule.at, `the cases of ${rule.id} in the code differ`, "remove them from the code");
    if (cases.length > 0) rulesWithCases.add(rule.id);
  }
  const familiesInOrder = [...families.values()].flatMap((family) => splitBySeals(protocol, family, sources));
  if (protocol.foreign !== true)
    return [...familiesInOrder, ...remainingFamilies(codeFamilies, [...families.values()])];
  const withoutRepeatedCases = codeFamilies.map((ruleFamily) => ({
    ...ruleFamily,
    cases: ruleFamily.cases.filter(({ rule }) => !rulesWithCases.has(rule)),
  }));
  return [...familiesInOrder, ...withoutRepeatedCases];
}

/** Completes a family. Its rules with and without seals become separate families, in the same order. */
function splitBySeals(
  protocol: Protocol,
  { name, seals, checkers, rules, enforcedBy }: FamilyDraft,
  sources: CaseSources,
): RuleFamily[] {
  const parts: { isSealed: boolean; rules: PlacedRule[] }[] = [];
  for (const rule of rules)
    for (const isSealed of Array.isArray(rule.seals) ? [true, false] : [(rule.seals ?? seals) === true]) {
      const last = parts.at(-1);
      if (last?.isSealed === isSealed) last.rules.push(rule);
      else parts.push({ isSealed, rules: [rule] });
    }
  return parts.map(({ isSealed, rules: partRules }): RuleFamily => {
    const belongsToPart = (id: string, document: string): boolean => {
      const rule = partRules.find((placedRule) => placedRule.id === id);
      return rule !== undefined && (!Array.isArray(rule.seals) || rule.seals.includes(document) === isSealed);
    };
    let cases: readonly Cases[] | undefined;
    return {
      name,
      checkers: checkers.flatMap((checker) => {
        const documents = checker.documents.filter((document) => belongsToPart(checker.rule, document));
        return documents.length === 0 ? [] : [{ ...checker, documents }];
      }),
      ...(isSealed ? { seals: true as const } : {}),
      ...(Object.keys(enforcedBy).length === 0 ? {} : { enforcedBy }),
      // Cases are made on demand, because most runs only judge messages.
      get cases() {
        cases ??= partRules
          .flatMap((rule) => casesFor(protocol, rule, sources))
          .filter(({ rule, document }) => belongsToPart(rule, document));
        return cases;
      },
    };
  });
}

/** The families in code, without the checkers that rule files already use; empty families are left out. */
function remainingFamilies(codeFamilies: readonly RuleFamily[], families: readonly FamilyDraft[]): RuleFamily[] {
  const usedCheckers = new Set(families.flatMap(({ checkers }) => checkers));
  return codeFamilies
    .map((family) => ({ ...family, checkers: family.checkers.filter((checker) => !usedCheckers.has(checker)) }))
    .filter(({ checkers, cases }) => checkers.length + cases.length > 0);
}

/** A family while its rules are collected. */
interface FamilyDraft {
  name: string;
  seals: true | undefined;
  checkers: RuleFamily["checkers"][number][];
  rules: PlacedRule[];
  enforcedBy: Record<string, Enforcer>;
}

function haveSameCases(first: readonly Cases[], second: readonly Cases[]): boolean {
  const nonEmpty = (cases: readonly Cases[]): Json =>
    JSON.parse(JSON.stringify(cases.filter(({ valid, invalid }) => valid.length + invalid.length > 0))) as Json;
  return equal(nonEmpty(first), nonEmpty(second));
}
