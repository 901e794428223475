import type { Result, Scenario } from "../../../schemas/index.ts";
import { isOfExchanges } from "../scenarios/exchanges.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide } from "../scenarios/sides.ts";
import { reduceChoices } from "./choices.ts";
import type { Ground } from "./trial-ground.ts";

/** One right party of a population. */
export interface RightParty {
  /** Its place in the population, from 0. */
  index: number;
  /** Absent for a protocol with parties that have no sides. */
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

/** For the waits of a play, and for real times in a reference. */
const timeScale = 0.3;

/** Outcomes of a play that broke down: the machine may have been too busy for scaled waits. */
const broken: ReadonlySet<Result["outcome"]> = new Set(["errored", "timed-out"]);

/** Outcomes that no right party may get: an accusation, or a play that broke down and does so again. */
const wrong: ReadonlySet<Result["outcome"]> = new Set(["violates", ...broken]);

/** Milliseconds for reducing the accusations of one party: repeated whole plays would look like a party that hangs. */
const maxReducingMs = 90_000;

/**
 * Plays all scenarios of its side against one right party. A scenario that broke down is played again with unscaled waits, and only that play counts.
 * An accusation is repeated with fewer choices until none can be left out, or the time for that, in milliseconds, is up.
 */
export async function playParty(
  ground: Ground,
  party: RightParty,
  seed: number,
  reducing: number = maxReducingMs,
): Promise<PlayedParty> {
  const { protocol, scenarios } = ground;
  const { index, side, choices } = party;
  const own = ofSide(protocol, scenarios, side);
  // The messages between the parties may belong to any scenario.
  const of = (ids: readonly string[]): readonly Scenario[] =>
    ids.some((id) => isOfExchanges({ id })) ? own : own.filter((scenario) => ids.some((id) => isOf(scenario, id)));
  const first = await play(ground, own, party, { seed });
  const brokenDown = of(first.flatMap(({ id, outcome }) => (broken.has(outcome) ? [id] : [])));
  const results =
    brokenDown.length === 0
      ? first
      : [
          ...first.filter(
            ({ id, outcome }) =>
              outcome === "violates" || !(isOfExchanges({ id }) || brokenDown.some((scenario) => isOf(scenario, id))),
          ),
          ...(await play(ground, brokenDown, party, { seed, scale: 1 })),
        ];
  const accused: Accusation[] = [];
  const end = performance.now() + reducing;
  for (const { id, outcome, why = "" } of results.filter((each) => wrong.has(each.outcome))) {
    const showsFault = async (fewer: readonly string[]): Promise<boolean> =>
      performance.now() < end &&
      (await play(ground, of([id]), { ...party, choices: fewer }, { seed })).some(
        (each) => each.id === id && wrong.has(each.outcome),
      );
    accused.push({ id, outcome, why, choices: await reduceChoices(choices, showsFault) });
  }
  const skipped = results.filter(({ outcome }) => outcome === "skipped").length;
  return { index, results: results.length, skipped, accused };
}

function isOf({ name }: Scenario, id: string): boolean {
  return id.includes(`/scenarios/${name}/`);
}

async function play(
  { protocol, live }: Ground,
  scenarios: readonly Scenario[],
  { index, side, choices }: RightParty,
  { seed, scale = timeScale }: { seed: number; scale?: number },
): Promise<Result[]> {
  const { setting, close } = await live.open({ ...(side === undefined ? {} : { side }), choices, timeScale: scale });
  try {
    return await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: scale }, seed: seed + index });
  } finally {
    await close();
  }
}
