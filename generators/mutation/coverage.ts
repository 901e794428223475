import type { Json, JsonObject, KeywordCoverage, Manifest, MutantCounts } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { OtherDocuments, type TestedElsewhere } from "../drafts/other-documents.ts";
import type { Watch, WorkProgress } from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { refuseFanOut } from "../evaluate/fan-out.ts";
import { places } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { Effort } from "../model/effort.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { foreignOracle } from "../oracle/foreign-oracle.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { followTargets } from "../oracle/schema-targets.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { countKills, judgeSafely } from "./judge.ts";
import { type Mutant, requiredKills } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";
import { publishedWords } from "./published-words.ts";

/** An instance and its expected verdict. */
export interface TestInstance {
  data: Json;
  valid: boolean;
}

/** A mutant that no test kills, or that only one test kills although two should. */
export interface SurvivingMutant {
  site: Location;
  operator: string;
  says: string;
  kills: 0 | 1;
  why: string;
  /** Whether the mutant may be equivalent. */
  undecided?: true;
  /** An instance that would kill the mutant, if the solver found one. */
  example?: Json;
}

/** One mutant, and its results with the tests. */
export interface MutantResult {
  site: Location;
  keyword: string;
  says: string;
  fate: "twice" | "once" | "equivalent" | "notKilled";
}

/** How well a set of tests covers a schema: isolated assertions and killed mutants. */
export interface Coverage extends KeywordCoverage {
  /** Every mutant that was examined. */
  judged: MutantResult[];
  keywords: Record<string, KeywordCoverage>;
  /** By operator, that is, by class of mistake. */
  operators: Record<string, MutantCounts>;
  unbroken: Location[];
  survivingMutants: SurvivingMutant[];
  /** Indexes of the tests that expect a different verdict from the schema's. They do not count. */
  wrong: number[];
  /** Indexes of the tests on which validators disagree. They do not count either. */
  disputed: number[];
  /** The number of tests that were judged: all of them, unless time was up. */
  asked: number;
  /** Whether some tests or mutants were not examined. */
  partial: boolean;
}

export interface CoverageOptions {
  /** Schemas that other documents test, or the ids of their resources. One test is enough to kill a mutant of their assertions. */
  elsewhere?: TestedElsewhere | ReadonlySet<string>;
  /** The surviving mutants that a manifest lists. Any other surviving mutant is proven to be equivalent. */
  known?: Pick<Manifest["documents"][number]["forcing"], "unforced">;
  watch?: Watch;
  /** Whether values are sent as text, as parameters are. */
  asText?: boolean;
}

/**
 * Measures which assertions of a schema the tests isolate, and which of its mutants they kill. `schemas` contains the schema with this `id`. Both validators
 * judge the tests; Ajv judges the mutants, compiled from the changed schemas. Throws a usage error if no validator finishes, or if one cannot read a schema.
 */
export async function coverageOf(
  schemas: readonly JsonObject[],
  id: string,
  tests: readonly TestInstance[],
  { elsewhere = new Set(), known, watch = () => true, asText = false }: CoverageOptions = {},
): Promise<Coverage> {
  let progress: WorkProgress = { stage: "mutants", done: 0, total: 1 };
  // Every search ends as soon as time is up.
  const effort = new Effort(Number.POSITIVE_INFINITY, () => !watch(progress));
  const model: Model = { ...(await compileModel(schemas, id)), ...(asText ? { asText } : {}), effort };
  refuseFanOut(model);
  const { sound, wrong, disputed, judgedCount } = judgeTests(tests, await foreignOracle(schemas, id), watch);
  // This validator collects all errors, so it evaluates every keyword for which it may throw.
  const ajv = compileAjv(followTargets(schemas, [model]), id, "lenient");
  const judgedTests = sound.map((test) => ({ ...test, isMisjudged: judgeSafely(ajv, test.data) !== test.valid }));
  const keywords = new Map<string, KeywordCoverage>();
  const countsFor = (keyword: string): KeywordCoverage => {
    const covered = keywords.get(keyword) ?? emptyCoverage();
    keywords.set(keyword, covered);
    return covered;
  };
  const unbroken = countSites(model, sound, countsFor, watch);
  const { all: mutants, partial } = mutantsOf(model, schemas, OtherDocuments.from(elsewhere), () => !watch(progress));
  const operators = new Map<string, MutantCounts>();
  const survivingMutants: SurvivingMutant[] = [];
  const results: MutantResult[] = [];
  const example = sound.find(({ valid }) => valid)?.data;
  let doneCount = 0;
  for (const mutant of mutants) {
    progress = { stage: "mutants", done: doneCount, total: mutants.length };
    if (!watch(progress)) break;
    doneCount += 1;
    const kills = countKills({ model, schemas, schema: id }, mutant, judgedTests);
    const explain = (): SurvivingMutant | undefined =>
      known === undefined ? explainSurvivor(model, mutant, kills, example) : explainByManifest(mutant, kills, known);
    const survivor = kills >= requiredKills(mutant) ? undefined : explain();
    const operatorCounts = operators.get(mutant.operator) ?? noMutants();
    operators.set(mutant.operator, operatorCounts);
    const fate = fateOf(kills, survivor);
    results.push({ site: mutant.site, keyword: mutant.keyword, says: mutant.says, fate });
    for (const counts of [countsFor(mutant.keyword), operatorCounts]) {
      counts.mutants += 1;
      counts[fate] += 1;
      if (survivor?.undecided === true) counts.undecided += 1;
    }
    if (survivor !== undefined) survivingMutants.push(survivor);
  }
  return {
    ...sumCovered([...keywords.values()]),
    judged: results,
    keywords: sortByKey(keywords),
    operators: sortByKey(operators),
    unbroken,
    survivingMutants,
    wrong,
    disputed,
    asked: judgedCount,
    partial: partial || doneCount < mutants.length || judgedCount < tests.length,
  };
}

/** A mutant without kills is equivalent unless it is listed as a survivor. */
function fateOf(kills: 0 | 1 | 2, survivor: SurvivingMutant | undefined): MutantResult["fate"] {
  if (kills === 2) return "twice";
  if (kills === 1) return "once";
  return survivor === undefined ? "equivalent" : "notKilled";
}

/** The number of tests that are judged even after the deadline. */
const minJudged = 20;

/** Counts the assertions of each keyword, and the isolated ones. Returns the others. */
function countSites(
  model: Model,
  tests: readonly TestInstance[],
  countsFor: (keyword: string) => KeywordCoverage,
  watch: Watch,
): Location[] {
  const unbroken: Location[] = [];
  const isolatedSites = findIsolated(model, tests, watch);
  for (const [site, keyword] of breakableSites(model)) {
    const covered = countsFor(keyword);
    covered.sites += 1;
    if (isolatedSites.has(site)) covered.broken += 1;
    else unbroken.push(site);
  }
  return unbroken;
}

/** Returns the sound tests, and the indexes of the wrong and disputed ones. */
function judgeTests<T extends TestInstance>(tests: readonly T[], oracle: Oracle, watch: Watch) {
  const result = { sound: [] as T[], wrong: [] as number[], disputed: [] as number[], judgedCount: 0 };
  for (const [index, test] of tests.entries()) {
    if (!watch({ stage: "judging", done: index, total: tests.length }) && index >= minJudged) break;
    result.judgedCount += 1;
    const { verdict } = oracle.judge(test.data);
    if (verdict === "disputed") result.disputed.push(index);
    else if ((verdict === "valid") === test.valid) result.sound.push(test);
    else result.wrong.push(index);
  }
  return result;
}

/** Lists every assertion that an instance can violate, with the kind of its keyword. */
function breakableSites(model: Model): Map<Location, string> {
  const keywordBySite = new Map<Location, string>();
  for (const node of new Set(places(model).map((place) => place.node)))
    for (const keyword of nodeAt(model, node).keywords)
      for (const { location } of sitesOf(keyword, model)) keywordBySite.set(location, keyword.kind);
  return keywordBySite;
}

function findIsolated(model: Model, tests: readonly TestInstance[], watch: Watch): Set<Location> {
  const entrySites = new Map<Location, Location[]>();
  for (const { keywords } of model.nodes.values())
    for (const keyword of keywords)
      if (keyword.kind === "required" || keyword.kind === "contains")
        entrySites.set(
          keyword.site,
          sitesOf(keyword, model).map(({ location }) => location),
        );
  const isolatedSites = new Set<Location>();
  for (const [done, { data, valid }] of tests.entries()) {
    if (valid) continue;
    if (!watch({ stage: "judging", done, total: tests.length }) && done >= minJudged) break;
    const failedSites = new Set<Location>();
    const noteFailure = ({ site }: Keyword, _at: string, _value: Json, holds: boolean) => {
      if (!holds) failedSites.add(site);
    };
    if (isValid(model, data, { observe: noteFailure })) continue;
    for (const site of [...failedSites].flatMap((failedSite) => entrySites.get(failedSite) ?? [failedSite]))
      if (!isolatedSites.has(site) && isValid(model, data, { without: site })) isolatedSites.add(site);
  }
  return isolatedSites;
}

/** Lets the solver decide whether any instance kills the mutant. */
function explainSurvivor(
  model: Model,
  mutant: Mutant,
  kills: number,
  hint: Json | undefined,
): SurvivingMutant | undefined {
  const { site, operator, says } = mutant;
  if (kills === 1) return { site, operator, says, kills: 1, why: "one test alone kills it" };
  for (const solution of distinguishingInstances(model, mutant, { hint, limit: 1 })) {
    if ("none" in solution) return undefined;
    if ("gaveUp" in solution) return { site, operator, says, kills: 0, why: solution.gaveUp, undecided: true };
    return { site, operator, says, kills: 0, why: "no test kills it", example: solution.found };
  }
  return { site, operator, says, kills: 0, why: "no test kills it", undecided: true };
}

function explainByManifest(
  mutant: Mutant,
  kills: number,
  { unforced }: NonNullable<CoverageOptions["known"]>,
): SurvivingMutant | undefined {
  const { site, operator, says } = mutant;
  // A manifest may be older than the current wording.
  const published = publishedWords(says);
  const entry = unforced.find(
    (unforcedMutant) =>
      unforcedMutant.site === site &&
      unforcedMutant.operator === operator &&
      publishedWords(unforcedMutant.says) === published,
  );
  if (kills === 0 && entry === undefined) return undefined;
  const why = entry?.why ?? "MANIFEST.json does not say why";
  if (kills > 0) return { site, operator, says, kills: 1, why };
  return {
    site,
    operator,
    says,
    kills: 0,
    why,
    ...(entry?.kills === 0 && entry.beyond === undefined ? { undecided: true as const } : {}),
  };
}

function noMutants(): MutantCounts {
  return { mutants: 0, twice: 0, once: 0, equivalent: 0, notKilled: 0, undecided: 0 };
}

function emptyCoverage(): KeywordCoverage {
  return { sites: 0, broken: 0, ...noMutants() };
}

function sortByKey<T>(counts: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...counts].sort(([first], [second]) => (first < second ? -1 : 1)));
}

function sumCovered(counts: readonly KeywordCoverage[]): KeywordCoverage {
  const sum = emptyCoverage();
  for (const covered of counts)
    for (const key of Object.keys(sum) as (keyof KeywordCoverage)[]) sum[key] += covered[key];
  return sum;
}
