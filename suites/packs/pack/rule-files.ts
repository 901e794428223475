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

/** The functions of a pack that make messages for cases. */
export interface CaseMakers {
  seal?: Sign | undefined;
  walk?: Walk | undefined;
}

/** The families of rules that a protocol has in files, followed by those in its code. A rule without a check in its file may have its checker in the code. `elsewhere` has the rules with checkers from the pack that it extends. Throws a usage error with file and line. */
export async function familiesInFiles(
  protocol: Protocol,
  inCode: readonly RuleFamily[],
  { seal, walk, elsewhere = new Set() }: CaseMakers & { elsewhere?: ReadonlySet<string> } = {},
): Promise<RuleFamily[]> {
  const rules = rulesInFiles(protocol);
  if (rules.length === 0) return [...inCode];
  const { applyChanges } = await import("../../../generators/index.ts");
  const sources = { fixtures: fixturesOf(protocol), applyChanges, ...(seal && { seal }), ...(walk && { walk }) };
  const families = new Map<string, Collected>();
  const ofCode = inCode.flatMap(({ checkers }) => checkers);
  const decided = new Set(ofCode.map(({ rule }) => rule));
  const inFiles = new Set<string>();
  for (const rule of rules) {
    const { name, value } = rule.family;
    const family = families.get(name) ?? { name, seals: value.seals, checkers: [], rules: [], enforcedBy: {} };
    families.set(name, family);
    const checkers = await checkersFor(protocol, rule, ofCode);
    const isNamed = [rule.check].flat().some((each) => typeof each === "string");
    if (checkers.length > 0 && decided.has(rule.id) && !isNamed)
      throw ruleFault(rule.family, `${rule.at}/check`, `the code has a checker of ${rule.id} as well`, "leave one out");
    if (checkers.length > 0 && (protocol.foreign !== true || !decided.has(rule.id))) family.checkers.push(...checkers);
    if (rule.enforcedBy !== undefined) family.enforcedBy[rule.id] = rule.enforcedBy;
    family.rules.push(rule);
    // The build has already checked this for the built-in packs.
    if (protocol.foreign !== true) continue;
    const cases = casesFor(protocol, rule, sources);
    if (cases.length > 0 && checkers.length === 0 && !decided.has(rule.id) && !elsewhere.has(rule.id))
      throw ruleFault(rule.family, rule.at, `there are cases of ${rule.id}, and no check`, "add its check");
    const again = inCode.flatMap((ruleFamily) => ruleFamily.cases.filter(({ rule: id }) => id === rule.id));
    if (cases.length > 0 && again.length > 0 && !isSame(cases, again))
      throw ruleFault(rule.family, rule.at, `the code has other cases of ${rule.id}`, "leave them out there");
    if (cases.length > 0) inFiles.add(rule.id);
  }
  const made = [...families.values()].flatMap((family) => familiesOf(protocol, family, sources));
  if (protocol.foreign !== true) return [...made, ...unnamedFamilies(inCode, [...families.values()])];
  const others = inCode.map((ruleFamily) => ({
    ...ruleFamily,
    cases: ruleFamily.cases.filter(({ rule }) => !inFiles.has(rule)),
  }));
  return [...made, ...others];
}

/** Converts a family for use: its rules with seals become families of their own, in the same order. */
function familiesOf(
  protocol: Protocol,
  { name, seals, checkers, rules, enforcedBy }: Collected,
  sources: CaseSources,
): RuleFamily[] {
  const parts: { isSealed: boolean; rules: PlacedRule[] }[] = [];
  for (const rule of rules)
    for (const isSealed of Array.isArray(rule.seals) ? [true, false] : [(rule.seals ?? seals) === true]) {
      const last = parts.at(-1);
      if (last?.isSealed === isSealed) last.rules.push(rule);
      else parts.push({ isSealed, rules: [rule] });
    }
  return parts.map(({ isSealed, rules: own }): RuleFamily => {
    const isTold = (id: string, document: string): boolean => {
      const rule = own.find((placedRule) => placedRule.id === id);
      return rule !== undefined && (!Array.isArray(rule.seals) || rule.seals.includes(document) === isSealed);
    };
    let cases: readonly Cases[] | undefined;
    return {
      name,
      checkers: checkers.flatMap((checker) => {
        const documents = checker.documents.filter((document) => isTold(checker.rule, document));
        return documents.length === 0 ? [] : [{ ...checker, documents }];
      }),
      ...(isSealed ? { seals: true as const } : {}),
      ...(Object.keys(enforcedBy).length === 0 ? {} : { enforcedBy }),
      // Cases are made on demand: most runs only judge.
      get cases() {
        cases ??= own
          .flatMap((rule) => casesFor(protocol, rule, sources))
          .filter(({ rule, document }) => isTold(rule, document));
        return cases;
      },
    };
  });
}

/** Families in code that are not in files yet, without the checkers that files name. */
function unnamedFamilies(inCode: readonly RuleFamily[], named: readonly Collected[]): RuleFamily[] {
  const taken = new Set(named.flatMap(({ checkers }) => checkers));
  return inCode
    .map((family) => ({ ...family, checkers: family.checkers.filter((checker) => !taken.has(checker)) }))
    .filter(({ checkers, cases }) => checkers.length + cases.length > 0);
}

/** A family while its rules are collected. */
interface Collected {
  name: string;
  seals: true | undefined;
  checkers: RuleFamily["checkers"][number][];
  rules: PlacedRule[];
  enforcedBy: Record<string, Enforcer>;
}

function isSame(one: readonly Cases[], other: readonly Cases[]): boolean {
  const tellCases = (cases: readonly Cases[]): Json =>
    JSON.parse(JSON.stringify(cases.filter(({ valid, invalid }) => valid.length + invalid.length > 0))) as Json;
  return equal(tellCases(one), tellCases(other));
}
