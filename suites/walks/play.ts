import type { Protocol, Result } from "../../schemas/index.ts";
import { playScenarios, type Setting } from "../scenarios/index.ts";
import { racesOf } from "./races.ts";
import type { Step } from "./step.ts";
import { type Detour, walkAlong, walksOf } from "./walks.ts";

export interface WalksRun {
  protocol: Protocol;
  setting: Setting;
  /** Decides steps and starts. */
  seed: number;
  /** Makes keys and runs differ from those of every other run. */
  freshness: number;
  /** How many walks, and which is the first. */
  walks: number;
  first?: number | undefined;
  /** A walk that is written down, instead of random ones. */
  steps?: readonly Step[] | undefined;
  signal?: AbortSignal | undefined;
  onResult?: (result: Result) => void;
}

/** How often each race is run. */
const rounds = 10;

/** Races and walks against a live target; one result for each rule. */
export async function playWalks(run: WalksRun): Promise<{ results: Result[]; detours: Detour[] }> {
  const { protocol, setting, seed, freshness, walks, first, steps, signal, onResult } = run;
  const { scenario, detours } = walksOf({ seed, walks, first });
  // A walk that is repeated alone is all that is wanted.
  const races = first === undefined ? racesOf({ seed, rounds }) : [];
  const scenarios = steps === undefined ? [...races, scenario] : [walkAlong(steps)];
  const played = await playScenarios({
    ...{ protocol, scenarios, setting, seed: freshness, signal },
    ...(onResult === undefined ? {} : { onResult }),
  });
  const results = played.map((result) => {
    const detour = detours.find(({ rule }) => rule === result.rule);
    if (detour === undefined || result.kind !== "walk") return result;
    return { ...result, id: result.id.replace("/walks/", `/walk-${detour.index}/`) };
  });
  return { results, detours };
}
