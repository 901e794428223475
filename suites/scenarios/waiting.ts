import type { Scenario, Setting } from "../../schemas/index.ts";
import { unmet } from "./needs.ts";

/** What a run will wait for at most. */
export interface Waiting {
  milliseconds: number;
  /** How many scenarios wait. */
  scenarios: number;
}

/** Milliseconds that a scenario waits at most with this target. */
export function waitOf({ waits = 0, needs }: Scenario, setting: Setting): number {
  const { timeScale = 1 } = setting;
  return unmet(["clock"], setting).length === 0 || unmet(needs, setting).length > 0 ? 0 : waits * timeScale;
}

export function waitingOf(scenarios: readonly Scenario[], setting: Setting): Waiting {
  const all = scenarios.map((scenario) => waitOf(scenario, setting)).filter((each) => each > 0);
  return { milliseconds: all.reduce((sum, each) => sum + each, 0), scenarios: all.length };
}

/** In words, to the second. */
export function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
