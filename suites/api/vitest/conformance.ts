import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import {
  type Baseline,
  currentId,
  type FailOn,
  type Protocol,
  placedAssertion,
  protocolNamed,
  type Result,
  readingsOf,
  sourceIn,
  type Vector,
} from "../../../schemas/index.ts";
import { loadVectors, select } from "../../packs/corpus/index.ts";
import { demandOf } from "../../reports/wording/demand.ts";
import { countNoun } from "../../reports/wording/phrases.ts";
import { knownResults, namesOfResults } from "../../results/baseline/index.ts";
import { failsRun } from "../../results/exit.ts";
import { casesOf, type RunCase } from "../../running/run/case.ts";
import { defaultSeed, requireValidOptions } from "../../running/run/options.ts";
import { commonFeatures } from "../../running/run/separation.ts";
import { type ExpectedResult, expectedOf } from "../../running/scenarios/result.ts";
import { findBaselineFaults } from "./baseline.ts";
import { errorWithoutStack, failureOf, throwIfSeparated, undecidedError } from "./failure.ts";
import { baselineOf, type ConformanceOptions, requireKnownOptions } from "./options.ts";
import { type AnyTarget, environmentsOf, scenarioFailure, scenariosFor, targetOf } from "./party.ts";
import { createPlayer, type Player, type SharedResults, selectedByScenario } from "./player.ts";

/**
 * Registers a test for each rule of a protocol, and for each assertion without a rule. A test covers all vectors of its rule. With `scenarios`, there is also a test for each scenario.
 *
 * All tests share one run, like that of `touchstone run`, with the vectors and scenarios of all tests that are not skipped. A test fails if the run would fail; its message shows two examples and the number of further failures. Vectors that are disputed, only warned about, or refused for another reason are annotated. If one feature separates the refused valid messages of a document from the accepted ones, it is reported as an error of the document. A test is skipped, with the reason, if nothing can be run against the target; if all tests would be skipped, the last one fails.
 *
 * Call it at the top of a test file or within `describe`. Throws a TouchstoneError for an unknown protocol, pattern or option.
 */
export function conformance(
  protocolOrName: string | Protocol,
  target: AnyTarget,
  options: ConformanceOptions = {},
): void {
  const protocol = typeof protocolOrName === "string" ? protocolNamed(protocolOrName) : protocolOrName;
  requireKnownOptions(options);
  const { scenarios = false, ...runOptions } = options;
  requireValidOptions(runOptions);
  const readings = readingsOf([protocol], options.readings ?? []).get(protocol) ?? [];
  const cases = scenarios === "only" ? [] : casesOf(protocol, loadVectors(protocol, options.vectors), readings);
  const baseline = baselineOf(options.baseline);
  const title = `${protocol.name} ${protocol.version}${readings.length === 0 ? "" : `, read as ${readings.join(", ")}`}`;
  if (scenarios === false) {
    const selected = selectSubjects(protocol, options, cases, []);
    const vectorTarget = targetOf(target, options);
    describe(title, () =>
      new Registration({
        protocol,
        target,
        vectorTarget,
        options,
        readings,
        cases,
        selected,
        baseline,
        expected: [],
      }).register(),
    );
    return;
  }
  environmentsOf(target, options);
  const vectorTarget = scenarios === "only" ? undefined : targetOf(target, options);
  describe(title, async () => {
    const expected = expectedOf(protocol, await scenariosFor(protocol, target, options));
    const selected = selectSubjects(protocol, options, cases, expected);
    new Registration({
      protocol,
      target,
      vectorTarget,
      options,
      readings,
      cases,
      selected,
      baseline,
      expected,
    }).register();
  });
}

type SelectedSubjects = ReadonlySet<Vector | ExpectedResult>;

interface RegisteredTests extends Omit<Parameters<typeof createPlayer>[0], "seed"> {
  selected: SelectedSubjects;
  baseline: ReturnType<typeof baselineOf>;
}

function selectSubjects(
  protocol: Protocol,
  { only = [], skip = [] }: ConformanceOptions,
  cases: readonly RunCase[],
  expected: readonly ExpectedResult[],
): SelectedSubjects {
  const subjects = [...cases.map(({ vector }) => vector), ...expected];
  const background = { rules: protocol.rules, sourceOf: (site: string) => sourceIn(protocol, site) };
  return new Set(select<Vector | ExpectedResult>(subjects, { only, skip }, background));
}

/** No limit by Vitest: the run itself limits the time of each vector and each scenario. */
const timeout = 0;

/** Registers the tests of one protocol, and holds their shared state. */
class Registration {
  readonly #tests: RegisteredTests;
  readonly #failOn: FailOn;
  readonly #today: string;
  readonly #player: Player;
  /** The baseline's status of a result, if the baseline covers it. */
  readonly #knownStatus: (result: Result) => Result["known"];
  /** The keys of tests that have not ended. If the last one ends and no test decided anything, it fails. */
  readonly #unfinishedTests = new Set<string>();
  readonly #undecidedReasons: string[] = [];
  #isDecided = false;
  readonly #results: Result[] = [];

  constructor(tests: RegisteredTests) {
    const { protocol, options, baseline, vectorTarget } = tests;
    const { failOn = "must", today = new Date().toISOString().slice(0, 10) } = options;
    this.#tests = tests;
    this.#failOn = failOn;
    this.#today = today;
    const names = namesOfResults(baseline?.entries ?? [], (site) => sourceIn(protocol, site));
    this.#knownStatus = baseline === undefined ? () => undefined : knownResults(baseline, today, names);
    // A live server remembers the keys and ids of earlier runs, as in watch mode, so it gets new ones each time.
    const isLive = vectorTarget === undefined || vectorTarget.kind === "http";
    this.#player = createPlayer({ ...tests, seed: options.seed ?? (isLive ? randomInt(2 ** 32) : defaultSeed) });
  }

  register(): void {
    const { protocol, options, cases, selected, expected, baseline } = this.#tests;
    beforeAll(this.#player.start, ((options.webServer?.timeout ?? 60) + 10) * 1000);
    afterAll(this.#player.close, 60_000);
    for (const document of protocol.profile.documents) {
      const documentCases = cases.filter((runCase) => runCase.document === document && selected.has(runCase.vector));
      if (documentCases.length > 0) describe(document.name, () => this.#registerDocument(document.name, documentCases));
    }
    const scenarios = selectedByScenario(expected, selected);
    if (scenarios.size > 0) describe("scenarios", () => this.#registerScenarios(scenarios));
    if (baseline !== undefined) test("the baseline", (context) => this.#checkBaseline(baseline, context));
  }

  #registerDocument(name: string, cases: readonly RunCase[]): void {
    const { protocol } = this.#tests;
    const vectorsById = new Map(cases.map(({ vector }) => [vector.id, vector]));
    const documentResults: Result[] = [];
    afterAll(() => throwIfSeparated(commonFeatures(cases, documentResults), documentResults));
    for (const [demand, group] of groupByDemand(cases)) {
      const rule = protocol.rules.find(({ id }) => id === demand);
      const key = this.#player.plan(name, demand, group);
      this.#unfinishedTests.add(key);
      test(demand, { timeout }, async (context) => {
        const collectResults = async (results: SharedResults): Promise<Result[]> => {
          const groupResults = await results.waitFor(group.map(({ vector }) => vector.id));
          documentResults.push(
            ...groupResults.filter(({ outcome }) => outcome !== "skipped").map((result) => this.#mark(result)),
          );
          return groupResults;
        };
        await this.#judge(key, context, collectResults, (failures, decided) => {
          const failedVectors = failures.map((result) => ({ result, vector: vectorsById.get(result.id) as Vector }));
          return failureOf(failedVectors, decided, rule, this.#placeOf(group));
        });
      });
    }
  }

  #registerScenarios(scenarios: ReadonlyMap<string, readonly ExpectedResult[]>): void {
    const statementOf = (id: string): string =>
      this.#tests.protocol.rules.find((rule) => rule.id === id)?.statement ?? "";
    for (const [name, group] of scenarios) {
      const key = this.#player.plan("scenarios", name, group);
      this.#unfinishedTests.add(key);
      test(name, { timeout }, async (context) => {
        const ids = group.map(({ id }) => id);
        const resultsIn = (results: SharedResults): Promise<Result[]> => results.waitFor(ids);
        await this.#judge(key, context, resultsIn, (failures) => scenarioFailure(failures, statementOf));
      });
    }
    test("every message between the parties", { timeout }, async (context) => {
      const breaches = (await (await this.#player.ensureRun(context)).exchangeBreaches()).map((result) =>
        this.#mark(result),
      );
      this.#results.push(...breaches);
      const failures = breaches.filter((result) => failsRun(result, this.#failOn) && result.known === undefined);
      if (failures.length > 0) throw scenarioFailure(failures, statementOf);
      await annotateResults(context, breaches);
    });
  }

  #checkBaseline(baseline: Baseline, context: TestContext): void {
    // If only some tests were run, other entries cannot be judged.
    if (this.#unfinishedTests.size > 0) context.skip("not all tests were run");
    const { protocol, options } = this.#tests;
    const { only = [], skip = [] } = options;
    const faults = findBaselineFaults({
      baseline,
      protocol,
      results: this.#results,
      filter: { only, skip },
      failOn: this.#failOn,
      today: this.#today,
    });
    if (faults.length > 0) throw new Error(`the baseline does not fit:\n${faults.join("\n")}`);
  }

  async #judge(
    key: string,
    context: TestContext,
    resultsIn: (results: SharedResults) => Promise<Result[]>,
    createError: (failures: Result[], decided: number) => Error,
  ): Promise<void> {
    const results = await resultsIn(await this.#player.ensureRun(context));
    const decided = results.filter(({ outcome }) => outcome !== "skipped").map((result) => this.#mark(result));
    this.#results.push(...results);
    this.#unfinishedTests.delete(key);
    this.#isDecided ||= decided.length > 0;
    if (decided.length === 0) this.#leaveUndecided(context, results[0]?.why);
    const failures = decided.filter((result) => failsRun(result, this.#failOn) && result.known === undefined);
    if (failures.length > 0) throw createError(failures, decided.length);
    const stale = decided.filter((result) => result.known === undefined && this.#isListed(result));
    if (stale.length > 0)
      throw new Error(
        `the baseline lists another outcome for these results; remove the entries: ${stale.map(({ id, outcome }) => `${id} ${outcome}`).join(", ")}`,
      );
    await annotateResults(context, decided);
  }

  /** Skips a test without results. If no test decided anything, the last one throws the reasons. */
  #leaveUndecided(context: TestContext, reason: string | undefined): void {
    // The first test reports why the run ended, and the others refer to it.
    const endReason = this.#player.failure();
    if (endReason !== undefined && this.#undecidedReasons.length === 0 && !this.#isDecided) {
      this.#undecidedReasons.push(endReason);
      throw errorWithoutStack("errored", [endReason]);
    }
    const skipReason = reason ?? endReason ?? "there was no answer";
    this.#undecidedReasons.push(skipReason);
    if (this.#unfinishedTests.size === 0 && !this.#isDecided && endReason === undefined)
      throw undecidedError(this.#undecidedReasons);
    context.skip(skipReason);
  }

  #mark(result: Result): Result {
    const known = this.#knownStatus(result);
    return known === undefined ? result : { ...result, known };
  }

  #isListed({ id }: Pick<Result, "id">): boolean {
    return (this.#tests.baseline?.entries ?? []).some(
      (entry) => entry.id !== undefined && currentId(entry.id) === id && entry.flaky !== true,
    );
  }

  #placeOf([first]: readonly RunCase[]): string | undefined {
    const site = first?.vector.rule === undefined ? first?.vector.site : undefined;
    const source = site === undefined ? undefined : sourceIn(this.#tests.protocol, site);
    return site === undefined || source === undefined ? undefined : placedAssertion(site, source);
  }
}

/** Groups cases by rule, or by assertion without a rule, in the order of the vectors. */
function groupByDemand(cases: readonly RunCase[]): Map<string, RunCase[]> {
  const groups = new Map<string, RunCase[]>();
  for (const runCase of cases) {
    const { vector, document } = runCase;
    const name = demandOf({
      id: vector.id,
      document: document.name,
      ...(vector.rule === undefined ? {} : { rule: vector.rule }),
      ...(vector.site === undefined ? {} : { site: vector.site }),
    });
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [runCase]);
    else group.push(runCase);
  }
  return groups;
}

/** Adds an annotation for each outcome that is neither conforming nor a failure. */
async function annotateResults(context: TestContext, results: readonly Result[]): Promise<void> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    if (result.outcome === "conforms") continue;
    const name = result.known === undefined ? result.outcome : "known";
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  for (const [name, [first, ...others]] of groups) {
    const furtherCount = others.length === 0 ? "" : `, and ${countNoun(others.length, "more vector")}`;
    await context.annotate(`${first?.id} ${first?.outcome}: ${first?.why ?? ""}${furtherCount}`, name);
  }
}
