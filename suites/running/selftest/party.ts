import type { Result, Scenario } from "../../../schemas/index.ts";
import { isOfExchanges } from "../scenarios/exchanges.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide } from "../scenarios/sides.ts";
import { reduceChoices } from "./choices.ts";
import type { TrialGround } from "./trial-ground.ts";

/** One correct party of a population. */
export interface CorrectParty {
  /** Its index in the population, from 0. */
  index: number;
  /** Absent for a protocol without sides. */
  side?: string;
  /** Its choices of conduct, tempo and transport. */
  choices: readonly string[];
  /** The names of the scenarios that it plays; absent if it plays all of its side. */
  plays?: readonly string[];
}

/** An accusation: a result, and the smallest set of choices found that still causes it. */
export interface Accusation {
  id: string;
  outcome: Result["outcome"];
  why: string;
  choices: readonly string[];
}

export interface PlayedParty {
  index: number;
  /** The number of scenario results, and of skipped ones. */
  results: number;
  skipped: number;
  accused: readonly Accusation[];
}

/** Scales the waits of a play, and real times in a reference. */
const timeScale = 0.3;

/** The outcomes that a correct party must never have. */
const accusingOutcomes: ReadonlySet<Result["outcome"]> = new Set(["violates", "errored", "timed-out"]);

/** The time limit, in milliseconds, for reducing the accusations of one party: repeating whole plays for longer would look like a hanging party. */
const maxReducingMs = 90_000;

/** Plays the scenarios of a correct party's side, or the scenarios drawn for it, against the party. A scenario that accuses the party is played again with unscaled waits, since the machine may have been too busy, and only that play counts. Each accusation is then repeated with fewer choices, until none can be left out or `reducingMs` have passed. */
export async function playParty(
  ground: TrialGround,
  party: CorrectParty,
  seed: number,
  reducingMs: number = maxReducingMs,
): Promise<PlayedParty> {
  const { protocol, scenarios } = ground;
  const { index, side, choices, plays } = party;
  const partyScenarios = ofSide(protocol, scenarios, side).filter(({ name }) => plays?.includes(name) ?? true);
  // A result about exchanges may come from any scenario.
  const scenariosFor = (ids: readonly string[]): readonly Scenario[] =>
    ids.some((id) => isOfExchanges({ id }))
      ? partyScenarios
      : partyScenarios.filter((scenario) => ids.some((id) => isResultOf(scenario, id)));
  const firstResults = await play(ground, partyScenarios, party, { seed });
  const doubtfulScenarios = scenariosFor(
    firstResults.flatMap(({ id, outcome }) => (accusingOutcomes.has(outcome) ? [id] : [])),
  );
  const results =
    doubtfulScenarios.length === 0
      ? firstResults
      : [
          ...firstResults.filter(
            ({ id }) => !isOfExchanges({ id }) && !doubtfulScenarios.some((scenario) => isResultOf(scenario, id)),
          ),
          ...(await play(ground, doubtfulScenarios, party, { seed, scale: 1 })),
        ];
  const accused: Accusation[] = [];
  const deadline = performance.now() + reducingMs;
  for (const { id, outcome, why = "" } of results.filter((result) => accusingOutcomes.has(result.outcome))) {
    const showsFault = async (fewerChoices: readonly string[]): Promise<boolean> =>
      performance.now() < deadline &&
      (await play(ground, scenariosFor([id]), { ...party, choices: fewerChoices }, { seed })).some(
        (result) => result.id === id && accusingOutcomes.has(result.outcome),
      );
    accused.push({ id, outcome, why, choices: await reduceChoices(choices, showsFault) });
  }
  const skippedCount = results.filter(({ outcome }) => outcome === "skipped").length;
  return { index, results: results.length, skipped: skippedCount, accused };
}

function isResultOf({ name }: Scenario, id: string): boolean {
  return id.includes(`/scenarios/${name}/`);
}

async function play(
  { protocol, live }: TrialGround,
  scenarios: readonly Scenario[],
  { index, side, choices }: CorrectParty,
  { seed, scale = timeScale }: { seed: number; scale?: number },
): Promise<Result[]> {
  const { setting, close } = await live.open({ ...(side === undefined ? {} : { side }), choices, timeScale: scale });
  try {
    return await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: scale }, seed: seed + index });
  } finally {
    await close();
  }
}
