import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import {
  type Baseline,
  type Credential,
  closest,
  type FailOn,
  type Protocol,
  placedAssertion,
  protocolNamed,
  type Result,
  type Rule,
  readingsOf,
  sourceIn,
  type Target,
  type TargetConfig,
  TouchstoneError,
  type WebServerConfig,
} from "../../schemas/index.ts";
import { knowing, namesIn } from "../baseline/index.ts";
import { loadVectors, select } from "../corpus/index.ts";
import { demandOf } from "../reports/demand.ts";
import { some } from "../reports/words.ts";
import { fails } from "../results/exit.ts";
import { askerOf } from "../run/ask.ts";
import { type Case, casesOf } from "../run/case.ts";
import { defaultSeed, defaultTimeoutMs, mustFit } from "../run/options.ts";
import { schedule } from "../run/schedule.ts";
import { inCommon } from "../run/separating.ts";
import type { ModuleTarget } from "../targets/define-target.ts";
import { type InProcessOptions, inProcess } from "../targets/in-process.ts";
import { targetFrom } from "../targets/target-from.ts";
import { misfitsOf } from "./baseline.ts";
import { failureOf, nothingDecided, separated } from "./failure.ts";

export interface ConformanceOptions extends InProcessOptions {
  /** Ids, paths, rules or globs of the vectors to register; all by default. */
  only?: readonly string[];
  /** The same of those to leave out. */
  skip?: readonly string[];
  /** How the specification is read where it contradicts itself, by the names of `touchstone list readings`. */
  readings?: readonly string[];
  /** Folder of a vector set other than the package's own. */
  vectors?: string;
  /** File of the known failures, or what it holds: they must fail as listed, and nothing else may. */
  baseline?: string | Baseline;
  /** Least level whose breach fails (default: must). */
  failOn?: FailOn;
  /** Milliseconds for one vector (default: 5000). */
  timeoutMs?: number;
  /** Seed of the fresh values for a live server (default: a new one for each run against HTTP, otherwise 42). */
  seed?: number;
  /** The credential for an HTTP target given by its configuration. */
  credential?: Credential;
  /** The server under test, which is started before the tests, awaited, and ended after them. */
  webServer?: WebServerConfig;
  /** The day by which entries of the baseline expire, `YYYY-MM-DD` in UTC (default: today). */
  today?: string;
}

/**
 * Registers a test for each rule of a protocol, or assertion where no rule is named, under the protocol and the document: it runs all
 * vectors of that rule. A test fails where a run would, with two examples and the number of the others; what is disputed, only warned of, or
 * refused for another cause is annotated; what alone separates refused valid messages from accepted ones is an error of the document's tests as a whole, and a test of nothing but what the target cannot be asked is skipped with the reason; where all would
 * be, the last of them fails. Call it at the top
 * of a test file or within `describe`. Throws a TouchstoneError for a protocol, pattern or option that there is not.
 */
export function conformance(
  protocol: string | Protocol,
  target: ModuleTarget | TargetConfig | Target,
  options: ConformanceOptions = {},
): void {
  const known = typeof protocol === "string" ? protocolNamed(protocol) : protocol;
  mustBeOptions(options);
  mustFit(options);
  const {
    only = [],
    skip = [],
    failOn = "must",
    timeoutMs = defaultTimeoutMs,
    today = new Date().toISOString().slice(0, 10),
  } = options;
  const readings = readingsOf([known], options.readings ?? []).get(known) ?? [];
  const cases = casesOf(known, loadVectors(known, options.vectors), readings);
  const all = cases.map(({ vector }) => vector);
  const chosen = new Set(
    select(all, { only, skip }, { rules: known.rules, sourceOf: (site) => sourceIn(known, site) }),
  );
  const asked = targetOf(target, options);
  // A live server remembers the keys and ids of earlier runs, as in watch mode: it gets new ones each time.
  const seed = options.seed ?? (asked.kind === "http" ? randomInt(2 ** 32) : defaultSeed);
  const asker = askerOf({ protocol: known, target: asked, seed });
  const list = baselineOf(options.baseline);
  const names = namesIn(list?.entries ?? [], (site) => sourceIn(known, site));
  const knows = list === undefined ? () => undefined : knowing(list, today, names);
  const listed = (each: Pick<Result, "id" | "rule">): boolean =>
    (list?.entries ?? []).some(({ id, flaky }) => id === each.id && flaky !== true);
  const placeOf = ([first]: readonly Case[]): string | undefined => {
    const site = first?.vector.rule === undefined ? first?.vector.site : undefined;
    const source = site === undefined ? undefined : sourceIn(known, site);
    return site === undefined || source === undefined ? undefined : placedAssertion(site, source);
  };

  const marked = (result: Result): Result => {
    const known = knows(result);
    return known === undefined ? result : { ...result, known };
  };

  /** The tests that have not ended, and why those that have decided nothing: once all have, somebody has to say so. */
  const open = new Set<string>();
  const undecided: string[] = [];
  let isDecided = false;
  const ended: Result[] = [];

  const judgeAll = async (
    name: string,
    mine: readonly Case[],
    rule: Rule | undefined,
    context: TestContext,
    all: Result[],
  ): Promise<void> => {
    const { concurrency } = asked;
    const seen = await schedule(mine, asker.ask, asker.failed, { concurrency, timeoutMs, signal: context.signal });
    const results = seen.map((each) => each?.result);
    const ran = results.flatMap((result, index) => {
      const { vector } = mine[index] as Case;
      return result === undefined || result.outcome === "skipped" ? [] : [{ result, vector }];
    });
    all.push(...ran.map(({ result }) => marked(result)));
    ended.push(...results.flatMap((result) => result ?? []));
    open.delete(name);
    isDecided ||= ran.length > 0;
    if (ran.length === 0) {
      const why = results[0]?.why ?? "there was no answer";
      undecided.push(why);
      if (open.size === 0 && !isDecided) throw nothingDecided(undecided);
      context.skip(why);
    }
    const failed = ran.filter(({ result }) => fails(result, failOn) && knows(result) === undefined);
    if (failed.length > 0) throw failureOf(failed, ran.length, rule, placeOf(mine));
    const stale = ran.filter(({ result }) => knows(result) === undefined && listed(result));
    if (stale.length > 0)
      throw new Error(
        `the baseline lists these otherwise; take the entries out: ${stale.map(({ result: { id, outcome } }) => `${id} ${outcome}`).join(", ")}`,
      );
    await noted(
      context,
      ran.map(({ result }) => ({ result, isKnown: knows(result) !== undefined })),
    );
  };

  const title = readings.length === 0 ? "" : `, read as ${readings.join(", ")}`;
  describe(`${known.name} ${known.version}${title}`, () => {
    let server: { close(): void } | undefined;
    beforeAll(
      async () => {
        const { webServer } = options;
        if (webServer !== undefined) server = await (await import("../config/web-server.ts")).startWebServer(webServer);
        await asked.open(known);
      },
      ((options.webServer?.timeout ?? 60) + 10) * 1000,
    );
    afterAll(async () => {
      await asked.close();
      server?.close();
    });
    for (const document of known.profile.documents) {
      const mine = cases.filter((each) => each.document === document && chosen.has(each.vector));
      if (mine.length === 0) continue;
      describe(document.name, () => {
        const all: Result[] = [];
        afterAll(() => separated(inCommon(mine, all), all));
        for (const [name, group] of byDemand(mine)) {
          const rule = known.rules.find(({ id }) => id === name);
          const timeout = 2 * timeoutMs * Math.ceil(group.length / asked.concurrency);
          const key = `${document.name} ${name}`;
          open.add(key);
          test(name, { timeout }, (context) => judgeAll(key, group, rule, context, all));
        }
      });
    }
    if (list !== undefined)
      test("the baseline", (context) => {
        // Where some tests alone were run nothing can be said of other entries.
        if (open.size > 0) return context.skip("not all tests were run");
        const misfits = misfitsOf({ list, protocol: known, results: ended, filter: { only, skip }, failOn, today });
        if (misfits.length > 0) throw new Error(`the baseline does not fit:\n${misfits.join("\n")}`);
      });
  });
}

/** Every option, so that the compiler asks for a new one here. */
const names: Record<keyof Required<ConformanceOptions>, true> = {
  ...{ name: true, claims: true, text: true, only: true, skip: true, readings: true },
  ...{
    vectors: true,
    baseline: true,
    failOn: true,
    timeoutMs: true,
    seed: true,
    credential: true,
    today: true,
    webServer: true,
  },
};

/** Throws a usage error for an option that there is not: its like may be meant, and would not be followed. */
function mustBeOptions(options: ConformanceOptions): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TouchstoneError("usage", `conformance() has no option "${unknown}"`, {
    hint: `${closest(unknown, known)}there are ${known.join(", ")}`,
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
async function noted(context: TestContext, all: readonly { result: Result; isKnown: boolean }[]): Promise<void> {
  const groups = new Map<string, Result[]>();
  for (const { result, isKnown } of all) {
    if (result.outcome === "conforms") continue;
    const name = isKnown ? "known" : result.outcome;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  for (const [name, [first, ...others]] of groups) {
    const more = others.length === 0 ? "" : `, and ${some(others.length, "more vector")}`;
    await context.annotate(`${first?.id} ${first?.outcome}: ${first?.why ?? ""}${more}`, name);
  }
}

function targetOf(target: ModuleTarget | TargetConfig | Target, options: ConformanceOptions): Target {
  if (typeof target === "object" && "check" in target && typeof target.check === "function" && "open" in target)
    return target as Target;
  if (typeof target === "object" && "kind" in target && typeof target.kind === "string")
    return targetFrom(target as TargetConfig, { credential: options.credential });
  return inProcess(target, options);
}

function baselineOf(given: string | Baseline | undefined): Baseline | undefined {
  if (typeof given !== "string") {
    if (given === undefined || Array.isArray(given.entries)) return given;
    throw new TouchstoneError("usage", "the option baseline has no entries", { hint: "give what is in its file" });
  }
  try {
    const list = JSON.parse(readFileSync(given, "utf8")) as Baseline;
    if (Array.isArray(list.entries)) return list;
  } catch (cause) {
    throw new TouchstoneError("usage", `the baseline cannot be read: ${(cause as Error).message}`, {
      where: given,
      hint: "`touchstone run … --baseline FILE --update-baseline` writes one",
      cause,
    });
  }
  throw new TouchstoneError("usage", "this is no baseline: it has no entries", { where: given });
}
