import type { Result } from "../../../../../schemas/index.ts";
import { type Detour, playScenarios, type Walks, type WalksRun } from "../../../../scenarios/index.ts";
import { historiesOf } from "../histories/index.ts";
import { racesOf } from "./races.ts";
import { stepsIn, textOf } from "./step.ts";
import { walkAlong, walksOf } from "./walks.ts";

/** How often each race is run, and how many histories of each kind are recorded. */
const rounds = 10;
const histories = 5;

/** Races, histories and walks against a live target; one result for each rule. */
export async function playWalks(run: WalksRun): Promise<{ results: Result[]; detours: Detour[] }> {
  const { protocol, setting, seed, freshness, walks, first, steps, signal, onResult } = run;
  const { scenario, detours } = walksOf({ seed, walks, first });
  // A walk that is repeated alone is all that is wanted.
  const races = first === undefined ? [...racesOf({ seed, rounds }), ...historiesOf({ seed, rounds: histories })] : [];
  const scenarios = steps === undefined ? [...races, scenario] : [walkAlong(steps.flatMap(stepsIn))];
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

export const walks: Walks = { play: playWalks, parse: (text) => stepsIn(text).map(textOf) };
