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
import { misfitsOf } from "./baseline.ts";
import { errorWithoutStack, failureOf, throwIfSeparated, undecidedError } from "./failure.ts";
import { baselineOf, type ConformanceOptions, mustBeOptions } from "./options.ts";
import { environmentsOf, type Given, scenarioFailure, scenariosFor, targetOf } from "./party.ts";
import { chosenIn, type Player, type Results, settings } from "./player.ts";

/** Registers a test for each rule of a protocol, or assertion without a rule, under the protocol and the document; the test covers all vectors of that rule. With `scenarios` there is also a test for each scenario. All tests share one run, as `touchstone run` makes it, of the vectors and scenarios of the tests that are not skipped. A test fails if the run would, with two examples and the number of further ones. A vector that is disputed, only warned about, or refused for another cause is annotated. A feature that alone separates refused valid messages from accepted ones is an error of the document's tests as a whole. A test with nothing to run against the target is skipped with the reason; if all would be, the last of them fails. Call it at the top of a test file or within `describe`. Throws a TouchstoneError for an unknown protocol, pattern or option. */
export function conformance(protocol: string | Protocol, target: Given, options: ConformanceOptions = {}): void {
  const known = typeof protocol === "string" ? protocolNamed(protocol) : protocol;
  mustBeOptions(options);
  const { scenarios = false, ...fitting } = options;
  requireValidOptions(fitting);
  const readings = readingsOf([known], options.readings ?? []).get(known) ?? [];
  const cases = scenarios === "only" ? [] : casesOf(known, loadVectors(known, options.vectors), readings);
  const list = baselineOf(options.baseline);
  const title = `${known.name} ${known.version}${readings.length === 0 ? "" : `, read as ${readings.join(", ")}`}`;
  if (scenarios === false) {
    const chosen = chosenOf(known, options, cases, []);
    const asked = targetOf(target, options);
    describe(title, () =>
      new Registration({ known, target, asked, options, readings, cases, chosen, list, expected: [] }).register(),
    );
    return;
  }
  environmentsOf(target, options);
  const asked = scenarios === "only" ? undefined : targetOf(target, options);
  describe(title, async () => {
    const expected = expectedOf(known, await scenariosFor(known, target, options));
    const chosen = chosenOf(known, options, cases, expected);
    new Registration({ known, target, asked, options, readings, cases, chosen, list, expected }).register();
  });
}

type Chosen = ReadonlySet<Vector | ExpectedResult>;

interface RegisteredTests extends Omit<Parameters<typeof settings>[0], "seed"> {
  chosen: Chosen;
  list: ReturnType<typeof baselineOf>;
}

function chosenOf(
  known: Protocol,
  { only = [], skip = [] }: ConformanceOptions,
  cases: readonly RunCase[],
  expected: readonly ExpectedResult[],
): Chosen {
  const all = [...cases.map(({ vector }) => vector), ...expected];
  const background = { rules: known.rules, sourceOf: (site: string) => sourceIn(known, site) };
  return new Set(select<Vector | ExpectedResult>(all, { only, skip }, background));
}

/** The run itself limits each vector and each scenario. */
const timeout = 0;

/** The tests of one protocol: their common state, and their progress. */
class Registration {
  readonly #all: RegisteredTests;
  readonly #failOn: FailOn;
  readonly #today: string;
  readonly #playing: Player;
  /** Whether and how the baseline covers a result. */
  readonly #knows: (result: Result) => Result["known"];
  /** The tests that have not ended, and why the others decided nothing. If all have ended without a decision, one of them fails. */
  readonly #open = new Set<string>();
  readonly #undecided: string[] = [];
  #isDecided = false;
  readonly #ended: Result[] = [];

  constructor(all: RegisteredTests) {
    const { known, options, list, asked } = all;
    const { failOn = "must", today = new Date().toISOString().slice(0, 10) } = options;
    this.#all = all;
    this.#failOn = failOn;
    this.#today = today;
    const names = namesOfResults(list?.entries ?? [], (site) => sourceIn(known, site));
    this.#knows = list === undefined ? () => undefined : knownResults(list, today, names);
    // A live server remembers the keys and ids of earlier runs, as in watch mode, so it gets new ones each time.
    const isLive = asked === undefined || asked.kind === "http";
    this.#playing = settings({ ...all, seed: options.seed ?? (isLive ? randomInt(2 ** 32) : defaultSeed) });
  }

  register(): void {
    const { known, options, cases, chosen, expected, list } = this.#all;
    beforeAll(this.#playing.start, ((options.webServer?.timeout ?? 60) + 10) * 1000);
    afterAll(this.#playing.close, 60_000);
    for (const document of known.profile.documents) {
      const own = cases.filter((runCase) => runCase.document === document && chosen.has(runCase.vector));
      if (own.length > 0) describe(document.name, () => this.#registerDocument(document.name, own));
    }
    const played = chosenIn(expected, chosen);
    if (played.size > 0) describe("scenarios", () => this.#registerScenarios(played));
    if (list !== undefined) test("the baseline", (context) => this.#checkBaseline(list, context));
  }

  #registerDocument(name: string, cases: readonly RunCase[]): void {
    const { known } = this.#all;
    const byVector = new Map(cases.map(({ vector }) => [vector.id, vector]));
    const own: Result[] = [];
    afterAll(() => throwIfSeparated(commonFeatures(cases, own), own));
    for (const [demand, group] of byDemand(cases)) {
      const rule = known.rules.find(({ id }) => id === demand);
      const key = this.#playing.plan(name, demand, group);
      this.#open.add(key);
      test(demand, { timeout }, async (context) => {
        const keep = async (results: Results): Promise<Result[]> => {
          const some = await results.of(group.map(({ vector }) => vector.id));
          own.push(...some.filter(({ outcome }) => outcome !== "skipped").map((result) => this.#mark(result)));
          return some;
        };
        await this.#judge(key, context, keep, (failed, ran) => {
          const shown = failed.map((result) => ({ result, vector: byVector.get(result.id) as Vector }));
          return failureOf(shown, ran, rule, this.#placeOf(group));
        });
      });
    }
  }

  #registerScenarios(played: ReadonlyMap<string, readonly ExpectedResult[]>): void {
    const statement = (id: string): string => this.#all.known.rules.find((rule) => rule.id === id)?.statement ?? "";
    for (const [name, group] of played) {
      const key = this.#playing.plan("scenarios", name, group);
      this.#open.add(key);
      test(name, { timeout }, async (context) => {
        const ids = group.map(({ id }) => id);
        const resultsIn = (results: Results): Promise<Result[]> => results.of(ids);
        await this.#judge(key, context, resultsIn, (failed) => scenarioFailure(failed, statement));
      });
    }
    test("every message between the parties", { timeout }, async (context) => {
      const beyond = (await (await this.#playing.results(context)).beyond()).map((result) => this.#mark(result));
      this.#ended.push(...beyond);
      const failed = beyond.filter((result) => failsRun(result, this.#failOn) && result.known === undefined);
      if (failed.length > 0) throw scenarioFailure(failed, statement);
      await annotateResults(context, beyond);
    });
  }

  #checkBaseline(list: Baseline, context: TestContext): void {
    // If only some tests were run, other entries cannot be judged.
    if (this.#open.size > 0) context.skip("not all tests were run");
    const { known, options } = this.#all;
    const { only = [], skip = [] } = options;
    const misfits = misfitsOf({
      list,
      protocol: known,
      results: this.#ended,
      filter: { only, skip },
      failOn: this.#failOn,
      today: this.#today,
    });
    if (misfits.length > 0) throw new Error(`the baseline does not fit:\n${misfits.join("\n")}`);
  }

  async #judge(
    key: string,
    context: TestContext,
    resultsIn: (results: Results) => Promise<Result[]>,
    failure: (failed: Result[], ran: number) => Error,
  ): Promise<void> {
    const results = await resultsIn(await this.#playing.results(context));
    const ran = results.filter(({ outcome }) => outcome !== "skipped").map((result) => this.#mark(result));
    this.#ended.push(...results);
    this.#open.delete(key);
    this.#isDecided ||= ran.length > 0;
    if (ran.length === 0) this.#leaveUndecided(context, results[0]?.why);
    const failed = ran.filter((result) => failsRun(result, this.#failOn) && result.known === undefined);
    if (failed.length > 0) throw failure(failed, ran.length);
    const stale = ran.filter((result) => result.known === undefined && this.#isListed(result));
    if (stale.length > 0)
      throw new Error(
        `the baseline lists another outcome for these results; remove the entries: ${stale.map(({ id, outcome }) => `${id} ${outcome}`).join(", ")}`,
      );
    await annotateResults(context, ran);
  }

  /** Skips a test without results, or throws the reason why nothing at all was decided. */
  #leaveUndecided(context: TestContext, reason: string | undefined): void {
    // The first test reports why the run ended, and the others refer to it.
    const gone = this.#playing.failure();
    if (gone !== undefined && this.#undecided.length === 0 && !this.#isDecided) {
      this.#undecided.push(gone);
      throw errorWithoutStack("errored", [gone]);
    }
    const why = reason ?? gone ?? "there was no answer";
    this.#undecided.push(why);
    if (this.#open.size === 0 && !this.#isDecided && gone === undefined) throw undecidedError(this.#undecided);
    context.skip(why);
  }

  #mark(result: Result): Result {
    const known = this.#knows(result);
    return known === undefined ? result : { ...result, known };
  }

  #isListed({ id }: Pick<Result, "id">): boolean {
    return (this.#all.list?.entries ?? []).some(
      (entry) => entry.id !== undefined && currentId(entry.id) === id && entry.flaky !== true,
    );
  }

  #placeOf([first]: readonly RunCase[]): string | undefined {
    const site = first?.vector.rule === undefined ? first?.vector.site : undefined;
    const source = site === undefined ? undefined : sourceIn(this.#all.known, site);
    return site === undefined || source === undefined ? undefined : placedAssertion(site, source);
  }
}

/** By rule, or by assertion without a rule, in the order of the vectors. */
function byDemand(cases: readonly RunCase[]): Map<string, RunCase[]> {
  const groups = new Map<string, RunCase[]>();
  for (const runCase of cases) {
    const { vector, document } = runCase;
    const name = demandOf({
      id: vector.id,
      document: document.name,
      ...(vector.rule === undefined ? {} : { rule: vector.rule }),
      ...(vector.site === undefined ? {} : { site: vector.site }),
    });
    const there = groups.get(name);
    if (there === undefined) groups.set(name, [runCase]);
    else there.push(runCase);
  }
  return groups;
}

/** Adds an annotation for each outcome that is neither conforming nor a failure. */
async function annotateResults(context: TestContext, all: readonly Result[]): Promise<void> {
  const groups = new Map<string, Result[]>();
  for (const result of all) {
    if (result.outcome === "conforms") continue;
    const name = result.known === undefined ? result.outcome : "known";
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  for (const [name, [first, ...others]] of groups) {
    const more = others.length === 0 ? "" : `, and ${countNoun(others.length, "more vector")}`;
    await context.annotate(`${first?.id} ${first?.outcome}: ${first?.why ?? ""}${more}`, name);
  }
}
