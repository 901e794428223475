import type { LiveReference, LiveVariant, Protocol, Scenario } from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";
import { ofSide } from "./sides.ts";

/** The result of playing scenarios against one reference that breaks a rule on purpose. */
export interface Detected {
  variant: string;
  rule: string;
  /** Whether a scenario reports the broken rule. */
  killed: boolean;
  /** The scenario and rule of each reported violation of a different rule, unless it follows from the broken rule. */
  falsePositives: string[];
}

export interface Trial {
  /** Selects the scenarios that are played in addition to those about the broken rule. */
  seed: number;
  /** The number of these scenarios (default: all). */
  others?: number;
}

/** Returns the variants that scenarios must detect: some scenario tests the broken rule, and the fault also appears outside of long walks. */
export function playableVariants({ variants }: LiveReference, scenarios: readonly Scenario[]): LiveVariant[] {
  const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
  return variants.filter(({ rule, isCourse }) => coveredRules.has(rule) && isCourse !== true);
}

/** Plays scenarios against one broken reference: the scenarios of the broken rule, and some or all others to look for false positives. */
export async function tryScenarios(
  { protocol, scenarios, live }: { protocol: Protocol; scenarios: readonly Scenario[]; live: LiveReference },
  { name, rule, side, options = {} }: LiveVariant,
  { seed, others }: Trial,
): Promise<Detected> {
  const { setting, close } = await live.open({ ...options, ...(side === undefined ? {} : { side }), variant: name });
  try {
    const chosenScenarios = chooseScenarios(ofSide(protocol, scenarios, side), rule, seed, others);
    const results = await playScenarios({
      protocol,
      scenarios: chosenScenarios,
      setting: { ...setting, timeScale: 0.3 },
      seed,
      isTrial: true,
      // The scenario itself has to detect the fault, without the check of all exchanged messages.
      holdsExchanges: false,
    });
    const isKilled = results.some((result) => result.rule === rule && /^(?:violates|warns)$/.test(result.outcome));
    const unexpectedViolations = results.filter(
      (result) => result.rule !== rule && result.follows !== rule && result.outcome === "violates",
    );
    return {
      variant: name,
      rule,
      killed: isKilled,
      falsePositives: unexpectedViolations.map(({ id }) => id.replace(/^.*scenarios\//, "")),
    };
  } finally {
    await close();
  }
}

function chooseScenarios(
  scenarios: readonly Scenario[],
  rule: string,
  seed: number,
  others: number | undefined,
): Scenario[] {
  const isAboutRule = ({ rules }: Scenario): boolean => rules.includes(rule);
  const otherScenarios = scenarios.filter((scenario) => !isAboutRule(scenario) && scenario.slow !== true);
  // Any distribution will do: different rules and seeds select different scenarios.
  let state = [...rule].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, seed >>> 0);
  const selectedScenarios = new Set<Scenario>(others === undefined ? otherScenarios : []);
  while (others !== undefined && selectedScenarios.size < Math.min(others, otherScenarios.length)) {
    state = (state * 1664525 + 1013904223) >>> 0;
    selectedScenarios.add(otherScenarios[state % otherScenarios.length] as Scenario);
  }
  return scenarios.filter((scenario) => isAboutRule(scenario) || selectedScenarios.has(scenario));
}
