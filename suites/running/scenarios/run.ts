import {
  missingNeeds,
  type Protocol,
  type Result,
  type Scenario,
  type ScenarioFinding,
  type Setting,
  type Take,
  TargetFailure,
  TargetSkip,
} from "../../../schemas/index.ts";
import { parseAddress } from "../../base/http/address.ts";
import { attributeConsequences } from "../../results/consequence.ts";
import { failsRun } from "../../results/exit.ts";
import { judgeTries, needsAnotherTry, type Retry } from "../../results/retry.ts";
import { type Gone, watchAbsence } from "./absence.ts";
import { type AccessGate, createAccessGate } from "./access.ts";
import type { PartyRoute } from "./address.ts";
import { contextFor } from "./context.ts";
import { type Exchanges, exchangesOf, isHeldLive } from "./exchanges.ts";
import { endHeldUp, playedUndisturbed } from "./held-up.ts";
import { describeNeed, unmetNeeds } from "./needs.ts";
import type { OpenContext, PlayOptions } from "./open-context.ts";
import { type Played, playUntilEnd } from "./playthrough.ts";
import { createProfiler, type Profiler } from "./profiler.ts";
import { type Receiver, startReceiver } from "./receiver/receiver.ts";
import { withReferences } from "./references.ts";
import { expectedOf, resultOf } from "./result.ts";
import { formatSeconds, playWithin, readClock, type WaitBounds, waitOf, withoutClock } from "./waiting.ts";

export interface ScenarioRun {
  protocol: Protocol;
  scenarios: readonly Scenario[];
  /** Returns the next scenario if several runs share one list; by default each plays its own list in order. */
  next?: (() => Scenario | undefined) | undefined;
  setting: Setting;
  /** Makes the messages of scenarios differ from the messages of earlier runs. */
  seed: number;
  signal?: AbortSignal | undefined;
  onResult?: (result: Result) => void;
  /** Records the exchanges between the parties of each scenario. */
  recorder?: { take(played: RecordedPlay): Take } | undefined;
  /** The total milliseconds that scenarios may wait for a clock that cannot be moved; scenarios that do not fit are skipped. By default all wait. */
  maxWait?: number | undefined;
  /** Called before the first scenario, if some would wait. */
  onWaiting?: ((waiting: WaitBounds) => void) | undefined;
  /** Called for each scenario when it begins. */
  onPlaying?: ((protocol: string, scenario: string) => void) | undefined;
  /** Further attempts at scenarios that fail, with new ids and the same draws. */
  retry?: Retry | undefined;
  /** Called for each wait that was not cut short, with its unscaled milliseconds. */
  onWaited?: (scenario: Scenario, milliseconds: number) => void;
  /** Called for each finding when it is made; `signal` may end the run there. */
  onFound?: (scenario: Scenario, finding: ScenarioFinding) => void;
  /** Whether the target is broken on purpose, in this process: its breaches count even if the suite was held up. */
  isTrial?: boolean | undefined;
  /** Whether the messages between the parties are checked against all rules on messages and sequences; by default the protocol's pack decides. */
  holdsExchanges?: boolean | undefined;
  /** Called when the target is gone; the remaining scenarios are then not played. Without it, all scenarios are played. */
  onGone?: ((gone: Gone) => void) | undefined;
}

/** The subject of a recording. */
export interface RecordedPlay {
  protocol: Protocol;
  scenario: Scenario;
  side: string | undefined;
  seed: number;
}

/** After this many scenarios in a row without any answer, no more are played: each would only time out. */
const maxSilent = 3;

/** Plays scenarios one after another, since they share the target's clock. When aborted, it ends early with the results so far. */
export async function playScenarios(givenRun: ScenarioRun): Promise<Result[]> {
  const run = { ...givenRun, setting: withReferences(givenRun.setting) };
  const { protocol, scenarios, setting, signal, next = orderScenarios(scenarios) } = run;
  const route = setting.url === undefined ? undefined : await openRoute(setting.url);
  const results: Result[] = [];
  const publish = (result: Result): void => {
    results.push(result);
    run.onResult?.(result);
  };
  const markConsequence = attributeConsequences(protocol.rules);
  let receiverStarted: Promise<Receiver> | undefined;
  const receiver = (): Promise<Receiver> => {
    receiverStarted ??= startReceiver(setting.receiver);
    return receiverStarted;
  };
  const profile = createProfiler(setting);
  let silentCount = 0;
  const absenceAfter = watchAbsence(signal);
  const clockAnswer = run.onWaiting === undefined ? {} : await readClock(scenarios, setting);
  const maxWait = run.maxWait ?? Number.POSITIVE_INFINITY;
  const { waiting, isPlayed } = playWithin(maxWait, await withoutClock(scenarios, setting), setting, clockAnswer);
  const waitingCount = waiting.scenarios + waiting.skipped.scenarios + waiting.perhaps.scenarios;
  if (waitingCount > 0 || waiting.limited !== undefined) run.onWaiting?.(waiting);
  const isHeld = run.holdsExchanges ?? (await isHeldLive(protocol));
  const exchanges = isHeld ? exchangesOf(run) : undefined;
  const gate = createAccessGate();
  const sharedState: SharedByScenarios = { way: route, receiver, profile, gate, isPlayed, exchanges };
  try {
    for (let scenario = next(); scenario !== undefined; scenario = next()) {
      if (signal?.aborted === true) break;
      const firstPlay = silentCount < maxSilent ? await play(run, scenario, sharedState) : unplayed;
      // The end of the run cut this scenario off, so its result shows nothing.
      if (run.signal?.aborted === true && firstPlay.ended !== undefined) break;
      if (firstPlay !== unplayed) silentCount = firstPlay.isSilent === true ? silentCount + 1 : 0;
      const firstResults = resultsOf(protocol, scenario, firstPlay);
      const finalResults =
        firstPlay === unplayed ? firstResults : await retryFailures(run, scenario, sharedState, firstResults);
      for (const [index, each] of finalResults.entries()) {
        const isIndependent = scenario.independent?.includes(each.rule ?? "") === true;
        const durationMs = index === 0 ? firstPlay.milliseconds : undefined;
        publish(withDuration(markConsequence(each, isIndependent), durationMs));
      }
      const absence = run.onGone === undefined ? undefined : await absenceAfter(scenario, firstPlay.ended);
      if (absence !== undefined) {
        run.onGone?.(absence);
        break;
      }
    }
    for (const exchangeResult of newExchangeResults(results, exchanges))
      publish(markConsequence(exchangeResult, exchanges?.isApart(exchangeResult.rule, results)));
  } finally {
    await profile("as it was").catch(() => {});
    await (await receiverStarted?.catch(() => undefined))?.close();
    await route?.pool.destroy();
  }
  return results;
}

function withDuration(result: Result, durationMs: number | undefined): Result {
  return durationMs === undefined ? result : { ...result, durationMs };
}

/** Returns the results about exchanges, without findings that a scenario has already reported. */
function newExchangeResults(results: readonly Result[], exchanges: SharedByScenarios["exchanges"]): Result[] {
  const foundKeys = new Set(results.map(({ outcome, rule }) => `${outcome} ${rule}`));
  return (exchanges?.results() ?? []).filter(
    ({ outcome, rule }) => !["violates", outcome].some((foundOutcome) => foundKeys.has(`${foundOutcome} ${rule}`)),
  );
}

/** Returns a function that hands out the scenarios in order, to any number of callers. */
export function orderScenarios(scenarios: readonly Scenario[]): () => Scenario | undefined {
  const remaining = scenarios.values();
  return () => remaining.next().value;
}

async function openRoute(url: string): Promise<PartyRoute> {
  const { origin, prefix } = parseAddress(url);
  const { Pool } = await import("undici");
  return { pool: new Pool(origin, { pipelining: 1 }), url, prefix };
}

const unplayed: Played = {
  findings: [],
  ended: new TargetFailure("errored", "answer", `not played: the last ${maxSilent} scenarios got no answer at all`, {
    because: { kind: "not-played" },
  }),
};

interface SharedByScenarios {
  way: PartyRoute | undefined;
  receiver(): Promise<Receiver>;
  profile: Profiler;
  gate: AccessGate;
  /** False for a scenario that would wait too long. */
  isPlayed(scenario: Scenario): boolean;
  exchanges: Exchanges | undefined;
}

/** Returns one result for each rule of a scenario. */
function resultsOf(protocol: Protocol, scenario: Scenario, playedScenario: Played): Result[] {
  return expectedOf(protocol, [scenario]).map((expected) => resultOf(expected, playedScenario, protocol));
}

/** Plays a scenario again, with new ids; undefined if the run ended meanwhile. Only the first attempt is recorded and has its exchanges checked by all rules. */
async function playAttempt(
  run: ScenarioRun,
  scenario: Scenario,
  sharedState: SharedByScenarios,
  attempt: number,
): Promise<readonly Result[] | undefined> {
  const hasRunEnded = (): boolean => run.signal?.aborted === true;
  if (hasRunEnded()) return undefined;
  const nextPlay = await play(
    { ...run, recorder: undefined },
    scenario,
    { ...sharedState, exchanges: undefined },
    attempt,
  );
  if (hasRunEnded() && nextPlay.ended !== undefined) return undefined;
  return resultsOf(run.protocol, scenario, nextPlay);
}

/** Repeats a scenario for as long as one of its rules fails in every attempt, and returns the combined results. Without `retry`, returns the results of the first attempt that was not held up. */
async function retryFailures(
  run: ScenarioRun,
  scenario: Scenario,
  sharedState: SharedByScenarios,
  firstResults: readonly Result[],
): Promise<readonly Result[]> {
  const { retry } = run;
  const playNext = (attempt: number): Promise<readonly Result[] | undefined> =>
    playAttempt(run, scenario, sharedState, attempt);
  const { results: undisturbedResults, plays } = await playedUndisturbed(firstResults, playNext);
  if (retry === undefined) return undisturbedResults;
  const failing = undisturbedResults.filter((result) => failsRun(result, retry.failOn));
  const tries = new Map(failing.map((result): [string, [Result, ...Result[]]] => [result.id, [result]]));
  for (let attempt = 0; attempt < retry.count; attempt += 1) {
    if (![...tries.values()].some((each) => needsAnotherTry(each, retry))) break;
    const attemptResults = await playNext(plays + attempt);
    if (attemptResults === undefined) break;
    for (const result of attemptResults) tries.get(result.id)?.push(result);
  }
  return undisturbedResults.map((result) => {
    const triesOfRule = tries.get(result.id) ?? [result];
    if (triesOfRule.length === 1) return result;
    const { index: decidingIndex, flaky } = judgeTries(triesOfRule, retry);
    return flaky ?? (triesOfRule[decidingIndex] as Result);
  });
}

/** Returns a skip if the scenario needs something that the setting lacks, or would wait too long; undefined if it can be played. */
function skipUnplayable(
  scenario: Scenario,
  setting: Setting,
  isPlayed: SharedByScenarios["isPlayed"],
): TargetSkip | undefined {
  const unmetNeedNames = unmetNeeds(scenario.needs, setting);
  if (unmetNeedNames.length > 0)
    return new TargetSkip(`needs ${unmetNeedNames.map(describeNeed).join(" and ")}`, missingNeeds(...unmetNeedNames));
  if (isPlayed(scenario)) return undefined;
  const milliseconds = waitOf(scenario, setting);
  const why = `waits for ${formatSeconds(milliseconds)} without the hook "clock" (--max-wait)`;
  return new TargetSkip(why, { kind: "waits-for", milliseconds });
}

async function play(
  { protocol, setting, seed, signal, recorder, isTrial, onPlaying, onWaited, onFound }: ScenarioRun,
  scenario: Scenario,
  { profile, isPlayed, exchanges, ...shared }: SharedByScenarios,
  attempt = 0,
): Promise<Played> {
  const skip = skipUnplayable(scenario, setting, isPlayed);
  if (skip !== undefined) return { findings: [], ended: skip };
  onPlaying?.(protocol.name, scenario.name);
  const startedAt = performance.now();
  let openContext: OpenContext | undefined;
  const hiddenTake = recorder?.take({ protocol, scenario, side: setting.side, seed });
  const takes = { hidden: hiddenTake, bare: exchanges?.take() };
  const playthrough = await playUntilEnd(
    scenario.withinMs * Math.max(1, setting.timeScale ?? 1),
    signal,
    (endSignal, extend) => {
      const options: PlayOptions = {
        onWait: (milliseconds: number): void => onWaited?.(scenario, milliseconds),
        onFinding: (finding: ScenarioFinding): void => onFound?.(scenario, finding),
        protocol,
        setting,
        ...shared,
        seed,
        attempt,
        extend,
        takes,
        isTrial,
        name: scenario.name,
        signal: endSignal,
      };
      openContext = contextFor(options);
      const { context, findings } = openContext;
      const story = async (): Promise<void> => {
        await profile(scenario);
        await scenario.play(context);
      };
      return { findings, story };
    },
  ).finally(() => openContext?.close());
  const { ended } = playthrough;
  // If the target failed, the server may be a different one, for example at a wrong address. A scenario that was cut off by the end of the run shows nothing.
  if (!(ended instanceof TargetFailure) && signal?.aborted !== true) await exchanges?.judge(scenario);
  const isLate = ended instanceof TargetFailure && ended.outcome === "timed-out" && ended.stage !== "hook";
  // Report the cause of the delay, not the timeout.
  const ending = isLate && ended.stage === "play" ? (openContext?.hung() ?? ended) : ended;
  // A short delay does not excuse a whole scenario that does not end: a target that floods the suite holds it up as well.
  const waitedMs = isLate && ended.stage === "play" ? scenario.withinMs : undefined;
  const lastMessages = ended === undefined ? {} : { last: openContext?.last() ?? {} };
  const milliseconds = Math.round(performance.now() - startedAt);
  return {
    ...playthrough,
    ...(ending === undefined ? {} : { ended: endHeldUp(ending, openContext?.heldUp(waitedMs)) }),
    ...lastMessages,
    milliseconds,
    isSilent: isLate && openContext?.heard() !== true,
  };
}
