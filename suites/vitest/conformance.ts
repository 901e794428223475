import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import {
  type Baseline,
  type FailOn,
  type Protocol,
  protocolNamed,
  type Result,
  readingsOf,
  type Target,
  type TargetConfig,
  TouchstoneError,
} from "../../schemas/index.ts";
import { knowing } from "../baseline/index.ts";
import { loadVectors, select } from "../corpus/index.ts";
import { fails } from "../results/exit.ts";
import { asking } from "../run/ask.ts";
import { casesOf } from "../run/case.ts";
import { defaultSeed, defaultTimeoutMs, mustFit } from "../run/options.ts";
import { resultWithout } from "../run/result.ts";
import type { ModuleTarget } from "../targets/define-target.ts";
import { type InProcessOptions, inProcess } from "../targets/in-process.ts";
import { targetFrom } from "../targets/target-from.ts";
import { failureOf } from "./failure.ts";

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
  /** Of what is made fresh for a live server (default: 42). */
  seed?: number;
}

/**
 * Registers every vector of a protocol as a test, under the protocol and the document. A test fails where a run would; what is
 * disputed, only warned of, or refused for another cause passes with an annotation, and what the target cannot be asked is skipped with
 * the reason. Call it at the top of a test file or within `describe`. Throws a TouchstoneError for a protocol or pattern that there is not.
 */
export function conformance(
  protocol: string | Protocol,
  target: ModuleTarget | TargetConfig | Target,
  options: ConformanceOptions = {},
): void {
  const known = typeof protocol === "string" ? protocolNamed(protocol) : protocol;
  mustFit(options);
  const { only = [], skip = [], failOn = "must", timeoutMs = defaultTimeoutMs, seed = defaultSeed } = options;
  const readings = readingsOf([known], options.readings ?? []).get(known) ?? [];
  const cases = casesOf(known, loadVectors(known, options.vectors), readings);
  const all = cases.map(({ vector }) => vector);
  const chosen = new Set(select(all, { only, skip }));
  const asked = targetOf(target, options);
  const ask = asking(known, asked, seed);
  const list = baselineOf(options.baseline);
  const knows = list === undefined ? () => undefined : knowing(list, new Date().toISOString().slice(0, 10));
  const listed = (each: Pick<Result, "id" | "rule">): boolean =>
    (list?.entries ?? []).some(({ id, flaky }) => id === each.id && flaky !== true);

  const title = readings.length === 0 ? "" : `, read as ${readings.join(", ")}`;
  describe(`${known.name} ${known.version}${title}`, () => {
    beforeAll(() => asked.open(known));
    afterAll(() => asked.close());
    for (const document of known.profile.documents) {
      const mine = cases.filter((each) => each.document === document && chosen.has(each.vector));
      if (mine.length === 0) continue;
      const prefix = `${known.name}/${known.version}/${document.name}/`;
      describe(document.name, () => {
        for (const each of mine) {
          test(each.vector.id.replace(prefix, ""), { timeout: 2 * timeoutMs }, async (context) => {
            const judged = async (): Promise<Result> => ask(each, AbortSignal.timeout(timeoutMs));
            const result = await judged().catch((thrown: unknown) => resultWithout(each.vector, document.name, thrown));
            if (result.outcome === "skipped") context.skip(result.why);
            const isKnown = knows(result) !== undefined;
            if (fails(result, failOn) && !isKnown) throw failureOf(result, each.vector);
            if (!isKnown && listed(result))
              throw new Error(`${result.id} ${result.outcome}: the baseline lists it otherwise; take the entry out`);
            await noted(context, result, isKnown);
          });
        }
      });
    }
  });
}

async function noted(context: TestContext, { outcome, why }: Result, isKnown: boolean): Promise<void> {
  if (outcome === "conforms") return;
  await context.annotate(`${outcome}: ${why ?? ""}`, isKnown ? "known" : outcome);
}

function targetOf(target: ModuleTarget | TargetConfig | Target, options: ConformanceOptions): Target {
  if (typeof target === "object" && "check" in target && typeof target.check === "function" && "open" in target)
    return target as Target;
  if (typeof target === "object" && "kind" in target && typeof target.kind === "string")
    return targetFrom(target as TargetConfig);
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
