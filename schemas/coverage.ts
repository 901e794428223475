import type { Scenario } from "./contracts/scenario.ts";
import type { Profile } from "./profile.ts";
import { namedReadings, toleratesAll, verdictUnder } from "./reading.ts";
import { isAt, type Rule, type RuleStatus } from "./rule.ts";
import type { Vector, VectorOutline } from "./vector.ts";

/** The ways to show a breach of a rule: a message, a live scenario, or a record or trace in one of our formats. */
export const coverageWays = ["message", "scenario", "record", "trace"] as const;
export type Way = (typeof coverageWays)[number];

/** Vectors of one document. */
export interface DocumentVectors<V extends VectorOutline = Vector> {
  document: string;
  tests: readonly V[];
}

/** The tests of one rule. */
export interface RuleCoverage {
  /** Number of vectors that a breach of the rule can fail, by way. */
  vectors: Readonly<Record<Exclude<Way, "scenario">, number>>;
  /** The documents of records and traces among them. */
  documents: readonly string[];
  /** Names of the scenarios with expectations about it. */
  scenarios: readonly string[];
}

/** The coverage of a rule: its own vectors, or, if its status names other rules, their vectors. */
export function coverageOfRule(
  profile: Pick<Profile, "documents" | "contradictions">,
  rule: Rule,
  files: readonly DocumentVectors<VectorOutline>[],
  scenarios: readonly { name: string; rules: readonly string[] }[],
): RuleCoverage {
  const vectors = { message: 0, record: 0, trace: 0 };
  const recordDocuments = new Set<string>();
  const readings = namedReadings(profile);
  // A disputed vector cannot fail, unless a chosen reading decides it.
  const decideVector = (vector: VectorOutline): VectorOutline =>
    readings.some((reading) => verdictUnder(reading, vector) === "invalid") ? { ...vector, valid: false } : vector;
  const tolerant = readings.filter(({ of }) => of.rules.includes(rule.id));
  const isTolerated = (vector: VectorOutline): boolean => vector.rule === rule.id && toleratesAll(tolerant, vector);
  const coverageKind = "covered" in rule.status ? rule.status.covered : "vectors";
  const coveringRules = [...new Set([rule.id, ...coveringIn(coverageKind)])];
  for (const { document, tests } of files) {
    const role = profile.documents.find(({ name }) => name === document)?.role;
    const way = role === "record" || role === "trace" ? role : "message";
    const coveringVectors = coveringRules.flatMap((id) => vectorsByRule(tests).get(id) ?? []);
    const count = coveringVectors.filter(
      (vector) => canFail(decideVector(vector), rule, coverageKind) || isTolerated(vector),
    ).length;
    vectors[way] += count;
    if (count > 0 && way !== "message") recordDocuments.add(document);
  }
  return {
    vectors,
    documents: [...recordDocuments],
    scenarios: scenarios.filter(({ rules }) => rules.includes(rule.id)).map(({ name }) => name),
  };
}

/** The vectors of each list by rule. Cached, since coverage is computed for hundreds of rules over thousands of vectors. */
const outlinesByGroup = new WeakMap<readonly VectorOutline[], ReadonlyMap<string, readonly VectorOutline[]>>();

function vectorsByRule(tests: readonly VectorOutline[]): ReadonlyMap<string, readonly VectorOutline[]> {
  const cached = outlinesByGroup.get(tests);
  if (cached !== undefined) return cached;
  const groups = new Map<string, VectorOutline[]>();
  for (const vector of tests) {
    if (vector.rule === undefined) continue;
    const group = groups.get(vector.rule);
    if (group === undefined) groups.set(vector.rule, [vector]);
    else group.push(vector);
  }
  outlinesByGroup.set(tests, groups);
  return groups;
}

/** The ways that cover a rule, the most realistic first. */
export function waysOf({ vectors, scenarios }: RuleCoverage): Way[] {
  return coverageWays.filter((way) => (way === "scenario" ? scenarios.length : vectors[way]) > 0);
}

/** The usual coverage of a rule without a status, by its check. */
export function usualCover(check: Rule["check"]): string {
  if (check === "schema") return "vectors";
  return check === "stateful" ? "scenarios" : "a checker and its cases";
}

/** A rule's status; `planned` if it claims the usual coverage and has none. */
export function statusOf({ status, check }: Rule, coverage: RuleCoverage): RuleStatus {
  const isUsual = "covered" in status && status.covered === usualCover(check);
  return isUsual && waysOf(coverage).length === 0 ? { planned: `${usualCover(check)} that show it` } : status;
}

/** Whether a breach of the rule can fail the vector. A disputed vector cannot fail. */
function canFail({ valid, rule }: VectorOutline, { id }: Rule, coverageKind: string): boolean {
  if (coverageKind === "valid vectors") return valid === true && rule === id;
  return valid === false && rule !== undefined && (rule === id || coveringIn(coverageKind).includes(rule));
}

/** The rules with vectors that cover another rule, if its status names some. */
function coveringIn(coverageKind: string): string[] {
  const [, coveringIds] = /^vectors of (.+)$/.exec(coverageKind) ?? [];
  return coveringIds?.split(", ") ?? [];
}

/**
 * Whether a vector or a scenario can show a breach of the rule. It may be reported under this rule, break an assertion that states it, or
 * be a scenario that is played for several rules.
 */
export function concerns(
  {
    rule,
    valid,
    site,
    scenario,
  }: Partial<Pick<Vector, "rule" | "valid" | "site">> & { scenario?: Pick<Scenario, "rules"> },
  { id, sites = [], status }: Rule,
): boolean {
  if (rule === id || scenario?.rules.includes(id) === true) return true;
  if (valid !== false) return false;
  const isCovering = rule !== undefined && "covered" in status && coveringIn(status.covered).includes(rule);
  return isCovering || (site !== undefined && sites.some((ruleSite) => isAt(site, ruleSite)));
}
