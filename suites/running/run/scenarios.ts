import { count, type Protocol, type Result, type Run, type Scenario } from "../../../schemas/index.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { messageOf } from "../../results/error-message.ts";
import { boundResult } from "../../results/reason-text.ts";
import { boundsIn } from "../scenarios/bounds.ts";
import { isOfExchanges } from "../scenarios/exchanges.ts";
import { type Environment, type Expected, type Gone, ofSide, type ScenarioRun, sidesOf } from "../scenarios/index.ts";
import { waitOf } from "../scenarios/waiting.ts";

/** Opens the environments of scenarios. */
export interface Environments {
  /** Whether environments exist for every party of a protocol, or only for the usual one. */
  sides: "all" | "usual";
  /** The number of environments opened for one party, each separate from the target and from the others. A scenario that is slow or waits for a clock has a separate environment. The other scenarios share the rest, at least half of this number. Only one is opened if the total wait is limited. By default one, which may be the target itself. */
  atOnce?: number;
  /** Configured time bounds in seconds, by name. */
  bounds?: Readonly<Record<string, number>>;
  /** Opens an environment for a party, by default the usual one. */
  open(protocol: Protocol, side?: string): Promise<Environment>;
}

/** Lists all possible results of a protocol's scenarios. Without environments, nothing is loaded and the list is empty. */
export async function expectedResults(protocol: Protocol, environments: Environments | undefined): Promise<Expected[]> {
  if (environments === undefined) return [];
  const { scenarios } = await packOf(protocol);
  if (scenarios === undefined) return [];
  const allScenarios = (await scenarios()).scenarios;
  const { expectedOf } = await import("../scenarios/result.ts");
  return expectedOf(protocol, environments.sides === "all" ? allScenarios : ofSide(protocol, allScenarios));
}

export interface Playing {
  protocol: Protocol;
  expected: readonly Expected[];
  environments: Environments | undefined;
  seed: number;
  signal: AbortSignal | undefined;
  onResult: (result: Result) => void;
  recorder?: ScenarioRun["recorder"];
  maxWait?: ScenarioRun["maxWait"];
  retry?: ScenarioRun["retry"];
  onWaiting?: ScenarioRun["onWaiting"];
  onPlaying?: ScenarioRun["onPlaying"];
}

/** Runs the vectors, and adds the results of the protocol's scenarios. Scenarios are played at the same time if that does not affect the target, and otherwise afterwards. They are not played against a target that failed or did not answer any vector usably, for example because of a wrong address. */
export async function withScenarios(ask: () => Promise<PlayedRun>, playing: Playing): Promise<PlayedRun> {
  const { expected, environments } = playing;
  if (environments === undefined || expected.length === 0) return ask();
  const concurrentPlay = environments.atOnce === undefined ? undefined : playRun(playing, environments);
  const [vectorRun] = await Promise.allSettled([ask(), concurrentPlay]);
  if (vectorRun.status === "rejected") throw vectorRun.reason;
  const outcome = vectorRun.value;
  if (outcome.run.failure !== undefined) return outcome;
  const lostTarget = concurrentPlay === undefined ? whyUnanswered(outcome.run) : undefined;
  if (lostTarget !== undefined)
    return { run: { ...outcome.run, failure: { stage: "scenarios", ...lostTarget } }, complete: false };
  const { results, failure } = await (concurrentPlay ?? playRun(playing, environments));
  const run = { ...mergeRun(outcome.run, results), bounds: await boundsIn(playing.protocol, environments.bounds) };
  if (failure !== undefined) return { run: { ...run, failure }, complete: false };
  const scenarioResults = results.filter((result) => !isOfExchanges(result));
  return { run, complete: outcome.complete && scenarioResults.length === expected.length };
}

interface PlayedRun {
  run: Run;
  complete: boolean;
}

async function playRun(
  { protocol, expected, environments: _, onResult, ...playOptions }: Playing,
  environments: Environments,
): Promise<{ results: Result[]; failure?: Run["failure"] }> {
  const { orderScenarios, playScenarios } = await import("../scenarios/run.ts");
  const ids = new Set(expected.map(({ id }) => id));
  const scenarios = [...new Set(expected.map(({ scenario }) => scenario))];
  const hasAllRules = includesAllRules(protocol, scenarios, ids);
  const knownResults = new Map<string, Result>();
  let failure: Run["failure"];
  const playSome = async (
    share: readonly Scenario[],
    { setting, close }: Environment,
    next = orderScenarios(share),
  ): Promise<void> => {
    const hide = createHider(secretsIn(setting));
    const keep = (playedResult: Result): void => {
      const isAboutExchanges = isOfExchanges(playedResult);
      // Several parties may break one rule: the first one is reported.
      if (isAboutExchanges ? !hasAllRules || knownResults.has(playedResult.id) : !ids.has(playedResult.id)) return;
      const result = boundResult(playedResult, hide);
      knownResults.set(result.id, result);
      onResult(result);
    };
    try {
      const fail = ({ message, brief }: Gone): void => {
        failure ??= { stage: "scenarios", message: hide.text(message), brief: hide.text(brief) };
      };
      await playScenarios({ protocol, scenarios: share, next, setting, ...playOptions, onResult: keep, onGone: fail });
    } catch (error) {
      failure ??= { stage: "scenarios", message: hide.text(messageOf(error)) };
    } finally {
      await close();
    }
  };
  const playSide = async (side: string | undefined): Promise<void> => {
    const scenariosOfSide = ofSide(protocol, scenarios, side);
    const firstEnvironment = await environments.open(protocol, side);
    const waits = (scenario: Scenario): boolean => waitOf(scenario, firstEnvironment.setting) > 0;
    // The limit applies to the total wait of all scenarios, so they are played one after another.
    const isBounded = playOptions.maxWait !== undefined && scenariosOfSide.some(waits);
    const concurrency = isBounded ? 1 : (environments.atOnce ?? 1);
    if (concurrency === 1) return playSome(scenariosOfSide, firstEnvironment);
    const shares = distribute(scenariosOfSide, (scenario) => scenario.slow === true || waits(scenario), concurrency);
    const openAnother = (): Promise<Environment> => environments.open(protocol, side);
    const { slow, others } = shares;
    const next = orderScenarios(others);
    await Promise.all([
      playSome(others, firstEnvironment, next),
      ...slow.map(async (scenario) => playSome([scenario], await openAnother())),
      ...Array.from({ length: shares.more }, async () => playSome(others, await openAnother(), next)),
    ]);
  };
  // Parties have separate clocks, so they can be played at the same time.
  await Promise.all(sidesIn(protocol, scenarios).map(playSide));
  const exchangeResults = [...knownResults.values()].filter(isOfExchanges);
  const results = [...expected.flatMap(({ id }) => knownResults.get(id) ?? []), ...exchangeResults];
  return { results, ...(failure === undefined ? {} : { failure }) };
}

/** Distributes scenarios among environments: one for each slow scenario, and one, plus `more`, for all others. */
function distribute(
  scenarios: readonly Scenario[],
  isSlow: (scenario: Scenario) => boolean,
  maxEnvironments: number,
): { slow: Scenario[]; others: Scenario[]; more: number } {
  const slow = scenarios.filter(isSlow).slice(0, maxEnvironments - 1);
  const others = scenarios.filter((scenario) => !slow.includes(scenario));
  // Even with many slow scenarios, enough environments are left to play the others concurrently.
  const slots = Math.max(maxEnvironments - slow.length, Math.ceil(maxEnvironments / 2));
  return { slow, others, more: Math.min(slots, others.length) - 1 };
}

/** Whether the ids include all rules of the scenarios. If only some are selected, others are not reported. */
function includesAllRules(
  { name, version }: Protocol,
  scenarios: readonly Scenario[],
  ids: ReadonlySet<string>,
): boolean {
  return scenarios.every((scenario) =>
    scenario.rules.every((rule) => ids.has(`${name}/${version}/scenarios/${scenario.name}/${rule}`)),
  );
}

/** The minimum number of unanswered vectors from which to conclude that scenarios will not be answered either. */
const minUnanswered = 10;

/** Explains why playing scenarios is pointless if no vector was answered. Undefined if one was answered, or if too few were sent to know. */
function whyUnanswered({ results }: Run): Gone | undefined {
  const sentVectors = results.filter(({ outcome }) => outcome !== "skipped");
  const isUnanswered = sentVectors.every(({ outcome }) => outcome === "errored" || outcome === "timed-out");
  if (sentVectors.length < minUnanswered || !isUnanswered) return undefined;
  const brief = `none of ${sentVectors.length} vectors got a usable answer, so no scenario was played`;
  return { message: `${brief}: ${sentVectors[0]?.why ?? "no answer"}`, brief };
}

/** Returns the parties that have scenarios. For a protocol without sides, its only party is written as undefined. */
function sidesIn(protocol: Protocol, scenarios: readonly Scenario[]): (string | undefined)[] {
  const names: (string | undefined)[] = sidesOf(protocol);
  return names.length === 0 ? [undefined] : names.filter((side) => ofSide(protocol, scenarios, side).length > 0);
}

function mergeRun(run: Run, played: readonly Result[]): Run {
  const results = [...run.results, ...played];
  return { ...run, results, counts: count(results) };
}
