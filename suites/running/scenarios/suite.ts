import {
  count,
  digestOf,
  type FailOn,
  type Protocol,
  type Report,
  type ReportOptions,
  type Result,
  type Rule,
  type Run,
  type Scenario,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { type Hider, createHider as hiderOf } from "../../base/secrets/index.ts";
import { select } from "../../packs/corpus/index.ts";
import { messageOf } from "../../results/error-message.ts";
import { boundResult } from "../../results/reason-text.ts";
import { reportOf, stopwatch } from "../../results/report.ts";
import { isOfExchanges } from "./exchanges.ts";
import { selectExchanges } from "./exchanges-wanted.ts";
import { type ExpectedResult, expectedOf } from "./result.ts";

export interface StorySuiteOptions {
  protocol: Protocol;
  /** All scenarios of the party, selected or not. */
  scenarios: readonly Scenario[];
  /** The party that the scenarios are played against. */
  target: Run["target"];
  /** Ids, paths, rules or globs. */
  only?: readonly string[];
  skip?: readonly string[];
  /** The time bounds in seconds, by name. */
  bounds?: Record<string, number>;
  /** The remedy if no scenario is about a rule. */
  advice?: (rule: Rule) => string | undefined;
  failOn?: FailOn | undefined;
  /** The command that the report shows, and the same command as data. */
  command: string;
  options?: ReportOptions;
  onProgress?: (progress: { protocol: string; result: Result; done: number; total: number }) => void;
  signal?: AbortSignal | undefined;
  /** Secrets that no report may show, known after the play. */
  secrets?: () => readonly string[];
  /** Plays the selected scenarios, with one result for each of their rules. The report names its errors, except wrong usage. */
  play(wanted: readonly Scenario[], onResult: (result: Result) => void): Promise<void>;
}

/** Plays scenarios without vectors, and makes a report as a run does. Throws a usage error for an empty selection. */
export async function storySuite(options: StorySuiteOptions): Promise<Report> {
  const { protocol, scenarios, target, only = [], skip = [], failOn, command, onProgress, signal } = options;
  const background = { rules: protocol.rules, advice: options.advice ?? (() => undefined) };
  const timing = stopwatch();
  const expectedResults = expectedOf(protocol, scenarios);
  const exchanges = selectExchanges(protocol, scenarios, { only, skip }, background);
  const scenariosById = new Map(
    select<ExpectedResult>(expectedResults, { only: exchanges.scenarioPatterns, skip }, background).map(
      ({ id, scenario }) => [id, scenario],
    ),
  );
  const results: Result[] = [];
  let judgedCount = 0;
  let failure: Run["failure"];
  let hider: Hider | undefined;
  const hide = (): Hider => {
    hider ??= hiderOf(options.secrets?.() ?? []);
    return hider;
  };
  try {
    // A scenario is played as a whole, but only its selected results count.
    const exchangeResults: Result[] = [];
    await options.play([...new Set(scenariosById.values())], (playedResult) => {
      const isAboutExchanges = isOfExchanges(playedResult);
      if (isAboutExchanges ? !exchanges.wants(playedResult) : !scenariosById.has(playedResult.id) || exchanges.isAlone)
        return;
      const result = boundResult(playedResult, hide());
      (isAboutExchanges ? exchangeResults : results).push(result);
      const done = results.length;
      onProgress?.({
        protocol: protocol.name,
        result,
        done,
        total: exchanges.isAlone ? done : scenariosById.size,
      });
    });
    judgedCount = results.length;
    results.push(...exchangeResults, ...(signal?.aborted === true ? [] : exchanges.unbroken(exchangeResults)));
  } catch (error) {
    if (error instanceof TouchstoneError && error.kind !== "target") throw error;
    failure = { stage: "open", message: hide().text(messageOf(error)) };
  }
  const run: Run = {
    protocol: protocol.name,
    version: protocol.version,
    target,
    // No vectors are stored, so the names of the scenarios identify the set.
    set: { digest: digestOf(expectedResults.map(({ id }) => id).join("\n")), count: expectedResults.length },
    filter: { only: [...only], skip: [...skip] },
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    counts: count(results),
    results,
    ...(failure === undefined ? {} : { failure }),
  };
  const isWhole = exchanges.isAlone || judgedCount === scenariosById.size;
  const complete = failure === undefined && isWhole && signal?.aborted !== true;
  return reportOf({ ...timing(), complete, command, options: options.options, failOn, runs: [run] });
}
