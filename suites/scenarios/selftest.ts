import { type Protocol, protocolNamed } from "../../schemas/index.ts";
import { hubVariants } from "../protocols/ahcp/reference/hub/variants/index.ts";
import { type HubVariant, nameOf } from "../protocols/ahcp/reference/hub/variants/variant.ts";
import { ahcpScenarios } from "../protocols/ahcp/scenarios/index.ts";
import { stagedReference } from "./reference.ts";
import { playScenarios } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/** Whether scenarios find one hub out that breaks a rule on purpose. */
export interface Conviction {
  variant: string;
  rule: string;
  /** It is accused of the rule that it breaks. */
  exposed: boolean;
  /** Scenario and rule of each MUST that it is accused of without breaking it. */
  astray: string[];
}

export interface Trial {
  /** Chooses the scenarios that are played besides the hub's own. */
  seed: number;
  /** How many of them; absent for all. */
  others?: number;
}

/** Rules that scenarios are about. */
export const coveredRules: ReadonlySet<string> = new Set(ahcpScenarios.flatMap(({ rules }) => rules));

/** Hubs that break a rule that scenarios are about. */
export const brokenHubs: readonly HubVariant[] = hubVariants.filter(({ rule }) => coveredRules.has(rule));

/** They take long, and show of a hub only its own rule. */
const slow = /^(?:limits-(?:depth|pace)|delivery-attempts)$/;

/** Plays scenarios against one broken hub: its own, and some or all others to see whether they accuse it wrongly. */
export async function tried(variant: HubVariant, { seed, others }: Trial): Promise<Conviction> {
  const { rule } = variant;
  const protocol: Protocol = protocolNamed("ahcp");
  const limits = rule.startsWith("AHCP-LIM")
    ? { requestsPerMinute: 600, inboxDepth: 300 }
    : { requestsPerMinute: 5000 };
  const { setting, close } = await stagedReference({ variant: nameOf(variant), limits });
  try {
    const scenarios = chosen(rule, seed, others);
    const results = await playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: 0.3 }, seed });
    const exposed = results.some((each) => each.rule === rule && /^(?:violates|warns)$/.test(each.outcome));
    const strange = results.filter((each) => each.rule !== rule && each.outcome === "violates");
    return {
      variant: nameOf(variant),
      rule,
      exposed,
      astray: strange.map(({ id }) => id.replace(/^.*scenarios\//, "")),
    };
  } finally {
    await close();
  }
}

function chosen(rule: string, seed: number, others: number | undefined): Scenario[] {
  const isOwn = ({ rules }: Scenario): boolean => rules.includes(rule);
  if (others === undefined) return ahcpScenarios.filter((each) => isOwn(each) || !slow.test(each.name));
  const rest = ahcpScenarios.filter((each) => !isOwn(each) && !slow.test(each.name));
  // Any spread will do: each rule's hub meets others, and each seed others again.
  let state = [...rule].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) >>> 0, seed >>> 0);
  const spot = new Set<Scenario>();
  while (spot.size < Math.min(others, rest.length)) {
    state = (state * 1664525 + 1013904223) >>> 0;
    spot.add(rest[state % rest.length] as Scenario);
  }
  return ahcpScenarios.filter((each) => isOwn(each) || spot.has(each));
}
