import type { Result, Scenario } from "../../schemas/index.ts";
import { isOfExchanges } from "../scenarios/exchanges.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide } from "../scenarios/sides.ts";
import { reduceChoices } from "./choices.ts";
import type { Ground } from "./ground.ts";

/** One right party of a population. */
export interface Party {
  /** Its place in the population, from 0. */
  index: number;
  /** Absent for a protocol whose parties have no sides. */
  side?: string;
  /** The choices of conduct, tempo and transport that it makes. */
  choices: readonly string[];
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
  /** Results of scenarios, and those among them that were skipped. */
  results: number;
  skipped: number;
  accused: readonly Accusation[];
}

/** Of the waits of a play, and of what takes a real time in a reference. */
const timeScale = 0.3;

/** Results that no right party may get: an accusation, or a play that broke down. */
const wrong: ReadonlySet<Result["outcome"]> = new Set(["violates", "errored", "timed-out"]);

/** Milliseconds for reducing the accusations of one party: repeated whole plays would look like a party that hangs. */
const mostReducing = 90_000;

/**
 * Plays all scenarios of its side against one right party; an accusation is repeated with fewer choices until none can be left out, or the time for
 * that, in milliseconds, is up.
 */
export async function playParty(
  ground: Ground,
  party: Party,
  seed: number,
  reducing: number = mostReducing,
): Promise<PlayedParty> {
  const { protocol, scenarios } = ground;
  const { index, side, choices } = party;
  const own = ofSide(protocol, scenarios, side);
  const results = await play(ground, own, party, seed);
  const accused: Accusation[] = [];
  const end = performance.now() + reducing;
  for (const { id, outcome, why = "" } of results.filter((each) => wrong.has(each.outcome))) {
    // What went between the parties may be of any scenario.
    const again = isOfExchanges({ id }) ? own : own.filter(({ name }) => id.includes(`/scenarios/${name}/`));
    const shows = async (fewer: readonly string[]): Promise<boolean> =>
      performance.now() < end &&
      (await play(ground, again, { ...party, choices: fewer }, seed)).some(
        (each) => each.id === id && wrong.has(each.outcome),
      );
    accused.push({ id, outcome, why, choices: await reduceChoices(choices, shows) });
  }
  const skipped = results.filter(({ outcome }) => outcome === "skipped").length;
  return { index, results: results.length, skipped, accused };
}

async function play(
  { protocol, live }: Ground,
  scenarios: readonly Scenario[],
  { index, side, choices }: Party,
  seed: number,
): Promise<Result[]> {
  const { setting, close } = await live.open({ ...(side === undefined ? {} : { side }), choices, timeScale });
  try {
    return await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale }, seed: seed + index });
  } finally {
    await close();
  }
}
