import type { Detour, Result, Scenario, Walks, WalksRun } from "../../../../schemas/index.ts";
import { playScenarios } from "../run.ts";
import type { WalkModel } from "./model.ts";
import { stepsOf } from "./steps.ts";
import { walkAlong, walksOf } from "./walk.ts";

/** The scenarios to play before the walks, from the same seed. */
export type StateBefore = (seed: number) => readonly Scenario[];

/** Creates the walks of a pack along its model, with one result for each rule. */
export function walksAlong<State, Step>(model: WalkModel<State, Step>, before: StateBefore = () => []): Walks {
  return {
    play: (run) => playWalks(model, before, run),
    parse: (text) => stepsOf(model, text).map(model.textOf),
  };
}

async function playWalks<State, Step>(
  model: WalkModel<State, Step>,
  before: StateBefore,
  { protocol, setting, seed, freshness, walks, first, steps, signal, onResult }: WalksRun,
): Promise<{ results: Result[]; detours: Detour[] }> {
  const { scenario, detours } = walksOf(model, { seed, walks, first });
  // When a single walk is repeated, nothing is played before it.
  const scenariosBefore = first === undefined ? before(seed) : [];
  const writtenSteps = steps?.flatMap((text) => stepsOf(model, text));
  const scenarios = writtenSteps === undefined ? [...scenariosBefore, scenario] : [walkAlong(model, writtenSteps)];
  const playedResults = await playScenarios({
    holdsExchanges: false,
    protocol,
    scenarios,
    setting,
    seed: freshness,
    signal,
    ...(onResult === undefined ? {} : { onResult }),
  });
  const results = playedResults.map((result) => {
    const detour = detours.find(({ rule }) => rule === result.rule);
    if (detour === undefined || result.kind !== "walk") return result;
    return { ...result, id: result.id.replace("/walks/", `/walk-${detour.index}/`) };
  });
  return { results, detours };
}
