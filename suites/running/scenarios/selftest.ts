import type { LiveReference, LiveVariant, Protocol, Scenario } from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";
import { ofSide } from "./sides.ts";

/** Whether scenarios find one hub out that breaks a rule on purpose. */
export interface Detected {
  variant: string;
  rule: string;
  /** It is accused of the rule that it breaks. */
  killed: boolean;
  /** Scenario and rule of each MUST that it is accused of without breaking it; a breach that follows from its own does not count. */
  falsePositives: string[];
}

export interface Trial {
  /** Chooses the scenarios that are played besides the hub's own. */
  seed: number;
  /** How many of them; absent for all. */
  others?: number;
}

/** The broken references that scenarios are to find out: each breaks a rule that some scenario is about, and not only in the course of a walk. */
export function playable({ variants }: LiveReference, scenarios: readonly Scenario[]): LiveVariant[] {
  const covered = new Set(scenarios.flatMap(({ rules }) => rules));
  return variants.filter(({ rule, isCourse }) => covered.has(rule) && isCourse !== true);
}

/** Plays scenarios against one broken reference: its own, and some or all others to see whether they accuse it wrongly. */
export async function tryScenarios(
  { protocol, scenarios, live }: { protocol: Protocol; scenarios: readonly Scenario[]; live: LiveReference },
  { name, rule, side, options = {} }: LiveVariant,
  { seed, others }: Trial,
): Promise<Detected> {
  const { setting, close } = await live.open({ ...options, ...(side === undefined ? {} : { side }), variant: name });
  try {
    const chosen = chosenFor(ofSide(protocol, scenarios, side), rule, seed, others);
    const results = await playScenarios({
      protocol,
      scenarios: chosen,
      setting: { ...setting, timeScale: 0.3 },
      seed,
      // A scenario has to find it, and not the messages between the parties beside it.
      holdsExchanges: false,
    });
    const killed = results.some((each) => each.rule === rule && /^(?:violates|warns)$/.test(each.outcome));
    const strange = results.filter(
      (each) => each.rule !== rule && each.follows !== rule && each.outcome === "violates",
    );
    return { variant: name, rule, killed, falsePositives: strange.map(({ id }) => id.replace(/^.*scenarios\//, "")) };
  } finally {
    await close();
  }
}

function chosenFor(all: readonly Scenario[], rule: string, seed: number, others: number | undefined): Scenario[] {
  const isOwn = ({ rules }: Scenario): boolean => rules.includes(rule);
  const rest = all.filter((each) => !isOwn(each) && each.slow !== true);
  // Any spread will do: each rule's variant meets others, and each seed others again.
  let state = [...rule].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) >>> 0, seed >>> 0);
  const spot = new Set<Scenario>(others === undefined ? rest : []);
  while (others !== undefined && spot.size < Math.min(others, rest.length)) {
    state = (state * 1664525 + 1013904223) >>> 0;
    spot.add(rest[state % rest.length] as Scenario);
  }
  return all.filter((each) => isOwn(each) || spot.has(each));
}
