import {
  type Cases,
  equal,
  fixturesIn,
  type Json,
  type Protocol,
  type RuleFamily,
  ruleFault,
  rulesInFiles,
} from "../../schemas/index.ts";
import { checkerFor } from "./checks.ts";
import { casesFor } from "./rule-cases.ts";

/**
 * The families of rules that a pack has in files, and then those of its code. A rule whose file has no check may have its checker in the code.
 * Throws a usage error with file and line.
 */
export async function familiesInFiles(protocol: Protocol, inCode: readonly RuleFamily[]): Promise<RuleFamily[]> {
  const rules = rulesInFiles(protocol);
  if (rules.length === 0) return [...inCode];
  const { patched } = await import("../../generators/index.ts");
  const sources = { fixtures: fixturesIn(protocol.folder), patched };
  const families = new Map<string, { name: string; checkers: RuleFamily["checkers"][number][]; cases: Cases[] }>();
  const decided = new Set(inCode.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)));
  const inFiles = new Set<string>();
  for (const rule of rules) {
    const { name } = rule.family;
    const family = families.get(name) ?? { name, checkers: [], cases: [] };
    families.set(name, family);
    const checker = await checkerFor(protocol, rule);
    const isNamed = typeof rule.check === "string";
    if (checker !== undefined && decided.has(rule.id) && !isNamed)
      throw ruleFault(rule.family, `${rule.at}/check`, `the code has a checker of ${rule.id} as well`, "leave one out");
    if (checker !== undefined && !decided.has(rule.id)) family.checkers.push(checker);
    const cases = casesFor(protocol, rule, sources);
    if (cases.length > 0 && checker === undefined && !decided.has(rule.id))
      throw ruleFault(rule.family, rule.at, `there are cases of ${rule.id}, and no check`, "add its check");
    const again = inCode.flatMap((each) => each.cases.filter(({ rule: id }) => id === rule.id));
    if (cases.length > 0 && again.length > 0 && !isSame(cases, again))
      throw ruleFault(rule.family, rule.at, `the code has other cases of ${rule.id}`, "leave them out there");
    if (cases.length > 0) inFiles.add(rule.id);
    family.cases.push(...cases);
  }
  const others = inCode.map((each) => ({ ...each, cases: each.cases.filter(({ rule }) => !inFiles.has(rule)) }));
  return [...families.values(), ...others];
}

function isSame(one: readonly Cases[], other: readonly Cases[]): boolean {
  const told = (cases: readonly Cases[]): Json =>
    JSON.parse(JSON.stringify(cases.filter(({ valid, invalid }) => valid.length + invalid.length > 0))) as Json;
  return equal(told(one), told(other));
}
