import { count, type Protocol, type Result, type Run, type Scenario } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { heard } from "../results/heard.ts";
import { said } from "../results/said.ts";
import { type Environment, type Expected, ofSide, type ScenarioRun, sidesOf } from "../scenarios/index.ts";
import { hider, secretsIn } from "../secrets/index.ts";

/** Makes what scenarios are played against. */
export interface Environments {
  /** Whether there is every party of a protocol, or the usual one alone. */
  sides: "all" | "usual";
  /** Absent: the usual one. */
  open(protocol: Protocol, side?: string): Promise<Environment>;
}

/** All that the scenarios of a protocol can come to; nothing without environments, and then nothing of them is loaded either. */
export async function expectations(protocol: Protocol, environments: Environments | undefined): Promise<Expected[]> {
  if (environments === undefined) return [];
  const { scenarios } = await packOf(protocol);
  if (scenarios === undefined) return [];
  const all = (await scenarios()).scenarios;
  const { expectedOf } = await import("../scenarios/run.ts");
  return expectedOf(protocol, environments.sides === "all" ? all : ofSide(protocol, all));
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
  onWaiting?: ScenarioRun["onWaiting"];
}

/** A run with the results of its protocol's scenarios behind those of the vectors. A target that failed before is not played against. */
export async function withScenarios(
  ended: { run: Run; complete: boolean },
  { protocol, expected, environments, seed, signal, onResult, ...more }: Playing,
): Promise<{ run: Run; complete: boolean }> {
  if (environments === undefined || expected.length === 0 || ended.run.failure !== undefined) return ended;
  const { playScenarios } = await import("../scenarios/run.ts");
  const ids = new Set(expected.map(({ id }) => id));
  const scenarios = [...new Set(expected.map(({ scenario }) => scenario))];
  const played = new Map<string, Result>();
  let failure: Run["failure"];
  const playSide = async (side: string | undefined): Promise<void> => {
    const environment = await environments.open(protocol, side);
    const hide = hider(secretsIn(environment.setting));
    const keep = (all: Result): void => {
      if (!ids.has(all.id)) return;
      const result = heard(all, hide);
      played.set(result.id, result);
      onResult(result);
    };
    try {
      const own = ofSide(protocol, scenarios, side);
      const { setting } = environment;
      await playScenarios({ protocol, scenarios: own, setting, seed, signal, ...more, onResult: keep });
    } catch (error) {
      failure ??= { stage: "scenarios", message: hide.text(said(error)) };
    } finally {
      await environment.close();
    }
  };
  // Each party is one of its own, with a clock of its own.
  await Promise.all(sidesIn(protocol, scenarios).map(playSide));
  const results = expected.flatMap(({ id }) => played.get(id) ?? []);
  const run = merged(ended.run, results);
  if (failure !== undefined) return { run: { ...run, failure }, complete: false };
  return { run, complete: ended.complete && results.length === expected.length };
}

/** The parties that some scenarios are about; undefined for the one of a protocol that names none. */
function sidesIn(protocol: Protocol, scenarios: readonly Scenario[]): (string | undefined)[] {
  const names: (string | undefined)[] = sidesOf(protocol);
  return names.length === 0 ? [undefined] : names.filter((side) => ofSide(protocol, scenarios, side).length > 0);
}

function merged(run: Run, played: readonly Result[]): Run {
  const results = [...run.results, ...played];
  return { ...run, results, counts: count(results) };
}
