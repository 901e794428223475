import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import {
  currentId,
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
import { some } from "../../reports/wording/phrases.ts";
import { knowing, namesIn } from "../../results/baseline/index.ts";
import { fails } from "../../results/exit.ts";
import { type Case, casesOf } from "../../running/run/case.ts";
import { defaultSeed, mustFit } from "../../running/run/options.ts";
import { inCommon } from "../../running/run/separation.ts";
import { type Expected, expectedOf } from "../../running/scenarios/result.ts";
import { misfitsOf } from "./baseline.ts";
import { failureOf, nothingDecided, placeless, separated } from "./failure.ts";
import { baselineOf, type ConformanceOptions, mustBeOptions } from "./options.ts";
import { environmentsOf, type Given, scenarioFailure, scenariosFor, targetOf } from "./party.ts";
import { chosenIn, player, type Results } from "./player.ts";

/**
 * Registers a test for each rule of a protocol, or assertion where no rule is named, under the protocol and the document: it is about all
 * vectors of that rule. With `scenarios` there is a test for each of these too. All tests are about one run, as `touchstone run` makes it, of the vectors and scenarios of
 * the tests that are not skipped. A test fails where the run would, with two examples and the number of the others; what is disputed, only warned of, or
 * refused for another cause is annotated; what alone separates refused valid messages from accepted ones is an error of the document's tests as a whole, and a test of nothing but what the target cannot be asked is skipped with the reason; where all would
 * be, the last of them fails. Call it at the top
 * of a test file or within `describe`. Throws a TouchstoneError for a protocol, pattern or option that there is not.
 */
export function conformance(protocol: string | Protocol, target: Given, options: ConformanceOptions = {}): void {
  const known = typeof protocol === "string" ? protocolNamed(protocol) : protocol;
  mustBeOptions(options);
  const { scenarios = false, ...fitting } = options;
  mustFit(fitting);
  const readings = readingsOf([known], options.readings ?? []).get(known) ?? [];
  const cases = scenarios === "only" ? [] : casesOf(known, loadVectors(known, options.vectors), readings);
  const list = baselineOf(options.baseline);
  const title = `${known.name} ${known.version}${readings.length === 0 ? "" : `, read as ${readings.join(", ")}`}`;
  if (scenarios === false) {
    const chosen = chosenOf(known, options, cases, []);
    const asked = targetOf(target, options);
    describe(title, () => register({ known, target, asked, options, readings, cases, chosen, list, expected: [] }));
    return;
  }
  environmentsOf(target, options);
  const asked = scenarios === "only" ? undefined : targetOf(target, options);
  describe(title, async () => {
    const expected = expectedOf(known, await scenariosFor(known, target, options));
    const chosen = chosenOf(known, options, cases, expected);
    register({ known, target, asked, options, readings, cases, chosen, list, expected });
  });
}

type Chosen = ReadonlySet<Vector | Expected>;

interface Registered extends Omit<Parameters<typeof player>[0], "seed"> {
  chosen: Chosen;
  list: ReturnType<typeof baselineOf>;
}

function chosenOf(
  known: Protocol,
  { only = [], skip = [] }: ConformanceOptions,
  cases: readonly Case[],
  expected: readonly Expected[],
): Chosen {
  const all = [...cases.map(({ vector }) => vector), ...expected];
  const background = { rules: known.rules, sourceOf: (site: string) => sourceIn(known, site) };
  return new Set(select<Vector | Expected>(all, { only, skip }, background));
}

function register(all: Registered): void {
  const { known, options, cases, chosen, list, expected, asked } = all;
  const { only = [], skip = [], failOn = "must", today = new Date().toISOString().slice(0, 10) } = options;
  const names = namesIn(list?.entries ?? [], (site) => sourceIn(known, site));
  const knows = list === undefined ? () => undefined : knowing(list, today, names);
  const listed = (each: Pick<Result, "id" | "rule">): boolean =>
    (list?.entries ?? []).some(({ id, flaky }) => id !== undefined && currentId(id) === each.id && flaky !== true);
  const placeOf = ([first]: readonly Case[]): string | undefined => {
    const site = first?.vector.rule === undefined ? first?.vector.site : undefined;
    const source = site === undefined ? undefined : sourceIn(known, site);
    return site === undefined || source === undefined ? undefined : placedAssertion(site, source);
  };
  const marked = (result: Result): Result => {
    const known = knows(result);
    return known === undefined ? result : { ...result, known };
  };
  const byVector = new Map(cases.map(({ vector }) => [vector.id, vector]));

  // A live server remembers the keys and ids of earlier runs, as in watch mode: it gets new ones each time.
  const isLive = asked === undefined || asked.kind === "http";
  const seed = options.seed ?? (isLive ? randomInt(2 ** 32) : defaultSeed);
  const playing = player({ ...all, seed });
  /** The tests that have not ended, and why others decided nothing. If all ended without a decision, one of them fails. */
  const open = new Set<string>();
  const undecided: string[] = [];
  let isDecided = false;
  const ended: Result[] = [];

  const judgeAll = async (
    key: string,
    context: TestContext,
    resultsIn: (results: Results) => Promise<Result[]>,
    failure: (failed: Result[], ran: number) => Error,
  ): Promise<Result[]> => {
    const results = await resultsIn(await playing.results(context));
    const ran = results.filter(({ outcome }) => outcome !== "skipped").map(marked);
    ended.push(...results);
    open.delete(key);
    isDecided ||= ran.length > 0;
    if (ran.length === 0) {
      // The first to meet it reports why the run ended, and the others point to that.
      const gone = playing.failure();
      if (gone !== undefined && undecided.length === 0 && !isDecided) {
        undecided.push(gone);
        throw placeless("errored", [gone]);
      }
      const why = results[0]?.why ?? gone ?? "there was no answer";
      undecided.push(why);
      if (open.size === 0 && !isDecided && gone === undefined) throw nothingDecided(undecided);
      context.skip(why);
    }
    const failed = ran.filter((result) => fails(result, failOn) && result.known === undefined);
    if (failed.length > 0) throw failure(failed, ran.length);
    const stale = ran.filter((result) => result.known === undefined && listed(result));
    if (stale.length > 0)
      throw new Error(
        `the baseline lists these otherwise; take the entries out: ${stale.map(({ id, outcome }) => `${id} ${outcome}`).join(", ")}`,
      );
    await noted(context, ran);
    return ran;
  };

  beforeAll(playing.start, ((options.webServer?.timeout ?? 60) + 10) * 1000);
  afterAll(playing.close, 60_000);
  // The run itself bounds each vector and each scenario.
  const timeout = 0;
  for (const document of known.profile.documents) {
    const mine = cases.filter((each) => each.document === document && chosen.has(each.vector));
    if (mine.length === 0) continue;
    describe(document.name, () => {
      const own: Result[] = [];
      afterAll(() => separated(inCommon(mine, own), own));
      for (const [name, group] of byDemand(mine)) {
        const rule = known.rules.find(({ id }) => id === name);
        const key = playing.plan(document.name, name, group);
        open.add(key);
        test(name, { timeout }, async (context) => {
          const keep = async (results: Results): Promise<Result[]> => {
            const some = await results.of(group.map(({ vector }) => vector.id));
            own.push(...some.filter(({ outcome }) => outcome !== "skipped").map(marked));
            return some;
          };
          await judgeAll(key, context, keep, (failed, ran) => {
            const shown = failed.map((result) => ({ result, vector: byVector.get(result.id) as Vector }));
            return failureOf(shown, ran, rule, placeOf(group));
          });
        });
      }
    });
  }
  const played = chosenIn(expected, chosen);
  const statement = (id: string): string => known.rules.find((rule) => rule.id === id)?.statement ?? "";
  if (played.size > 0)
    describe("scenarios", () => {
      for (const [name, group] of played) {
        const key = playing.plan("scenarios", name, group);
        open.add(key);
        test(name, { timeout }, async (context) => {
          const ids = group.map(({ id }) => id);
          await judgeAll(
            key,
            context,
            (results) => results.of(ids),
            (failed) => scenarioFailure(failed, statement),
          );
        });
      }
      test("every message between the parties", { timeout }, async (context) => {
        const beyond = (await (await playing.results(context)).beyond()).map(marked);
        ended.push(...beyond);
        const failed = beyond.filter((result) => fails(result, failOn) && result.known === undefined);
        if (failed.length > 0) throw scenarioFailure(failed, statement);
        await noted(context, beyond);
      });
    });
  if (list !== undefined)
    test("the baseline", (context) => {
      // Where some tests alone were run nothing can be said of other entries.
      if (open.size > 0) return context.skip("not all tests were run");
      const misfits = misfitsOf({ list, protocol: known, results: ended, filter: { only, skip }, failOn, today });
      if (misfits.length > 0) throw new Error(`the baseline does not fit:\n${misfits.join("\n")}`);
    });
}

/** By rule, or by assertion where no rule is named, in the order of the vectors. */
function byDemand(cases: readonly Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const each of cases) {
    const { vector, document } = each;
    const name = demandOf({
      id: vector.id,
      document: document.name,
      ...(vector.rule === undefined ? {} : { rule: vector.rule }),
      ...(vector.site === undefined ? {} : { site: vector.site }),
    });
    const there = groups.get(name);
    if (there === undefined) groups.set(name, [each]);
    else there.push(each);
  }
  return groups;
}

/** One annotation for each outcome that is neither conforming nor a failure. */
async function noted(context: TestContext, all: readonly Result[]): Promise<void> {
  const groups = new Map<string, Result[]>();
  for (const result of all) {
    if (result.outcome === "conforms") continue;
    const name = result.known === undefined ? result.outcome : "known";
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  for (const [name, [first, ...others]] of groups) {
    const more = others.length === 0 ? "" : `, and ${some(others.length, "more vector")}`;
    await context.annotate(`${first?.id} ${first?.outcome}: ${first?.why ?? ""}${more}`, name);
  }
}
