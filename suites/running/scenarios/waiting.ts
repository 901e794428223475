import type { JsonObject, Scenario, Setting } from "../../../schemas/index.ts";
import { hookAt, hookFrom } from "./hooks.ts";
import { unmetNeeds } from "./needs.ts";

/** The total wait of a run, and the scenarios that are left out because they do not fit. */
export interface WaitBounds {
  milliseconds: number;
  /** The number of scenarios that wait. */
  scenarios: number;
  skipped: { milliseconds: number; scenarios: number };
  /** Scenarios that may wait although the clock can be moved, because some timers of the target do not use it; and the longest such wait. */
  perhaps: { milliseconds: number; scenarios: number };
  /** The names of scenarios that exceed the target's rate limit, and their longest wait for it. */
  limited?: { milliseconds: number; scenarios: readonly string[] };
  /** Members of the clock hook's answer that can show that some scenarios of `perhaps` need not wait. */
  sayable?: readonly string[];
}

/** Returns the longest wait of a scenario with this target, in milliseconds. */
export function waitOf({ waits = 0, needs }: Scenario, setting: Setting): number {
  const { timeScale = 1 } = setting;
  return unmetNeeds(["clock"], setting).length === 0 || unmetNeeds(needs, setting).length > 0 ? 0 : waits * timeScale;
}

/** Returns the clock hook's answer about timers if a scenario depends on it, or else {}. An error does not matter yet: no scenario is being played. */
export async function readClock(scenarios: readonly Scenario[], setting: Setting): Promise<JsonObject> {
  const clock = setting.hooks?.clock;
  const isAsked = withOwnTimers(scenarios, setting).some(({ ownTimers }) => ownTimers !== true);
  if (clock === undefined || !isAsked) return {};
  return Promise.resolve({})
    .then(hookFrom("clock", clock))
    .catch(() => ({}));
}

/** Returns the scenarios that may have to wait. Scenarios that move the party's clock are left out if the party has one at its address. */
export async function withoutClock(scenarios: readonly Scenario[], setting: Setting): Promise<readonly Scenario[]> {
  const { url } = setting;
  const otherScenarios = scenarios.filter((scenario) => scenario.asksClock !== true || waitOf(scenario, setting) === 0);
  if (url === undefined || otherScenarios.length === scenarios.length) return scenarios;
  const hasClock = await Promise.resolve({})
    .then(hookAt(url, "clock").call)
    .then(
      ({ applied, skipped }) => applied !== false && typeof skipped !== "string",
      () => false,
    );
  return hasClock ? otherScenarios : scenarios;
}

/** Chooses the waiting scenarios that fit into these milliseconds: the shortest first, so that as many as possible are played. */
export function playWithin(
  budget: number,
  scenarios: readonly Scenario[],
  setting: Setting,
  clockAnswer: JsonObject = {},
): { waiting: WaitBounds; isPlayed(scenario: Scenario): boolean } {
  const none = { milliseconds: 0, scenarios: 0 };
  const withOwnClock = withOwnTimers(scenarios, setting).filter(
    ({ ownTimers }) => ownTimers === true || clockAnswer[String(ownTimers)] !== true,
  );
  const sayable = [...new Set(withOwnClock.flatMap(({ ownTimers }) => (ownTimers === true ? [] : (ownTimers ?? []))))];
  const sayablePart = sayable.length === 0 ? {} : { sayable };
  const waitFacts = {
    perhaps: possibleWaits(withOwnClock, setting),
    ...sayablePart,
    ...limitedScenarios(scenarios, setting),
  };
  const bounds: WaitBounds = { ...none, skipped: { ...none }, ...waitFacts };
  const skippedScenarios = new Set<Scenario>();
  const waitingScenarios = scenarios
    .map((scenario) => ({ scenario, wait: waitOf(scenario, setting) }))
    .filter(({ wait }) => wait > 0);
  for (const { scenario, wait } of waitingScenarios.sort((a, b) => a.wait - b.wait)) {
    const fits = bounds.milliseconds + wait <= budget;
    const total = fits ? bounds : bounds.skipped;
    total.milliseconds += wait;
    total.scenarios += 1;
    if (!fits) skippedScenarios.add(scenario);
  }
  return { waiting: bounds, isPlayed: (scenario) => !skippedScenarios.has(scenario) };
}

function withOwnTimers(scenarios: readonly Scenario[], setting: Setting): Scenario[] {
  return scenarios.filter(
    ({ ownTimers, needs }) => ownTimers !== undefined && unmetNeeds(["clock", ...needs], setting).length === 0,
  );
}

function possibleWaits(withOwnClock: readonly Scenario[], { timeScale = 1 }: Setting): WaitBounds["perhaps"] {
  return {
    milliseconds: Math.max(0, ...withOwnClock.map(({ waits = 0 }) => waits * timeScale)),
    scenarios: withOwnClock.length,
  };
}

/** Finds the scenarios that wait for the target's rate limit. These waits are not scaled. */
function limitedScenarios(scenarios: readonly Scenario[], setting: Setting): Pick<WaitBounds, "limited"> {
  const reachingLimit = scenarios.filter(
    (scenario) => scenario.reachesLimit !== undefined && unmetNeeds(scenario.needs, setting).length === 0,
  );
  if (reachingLimit.length === 0) return {};
  const milliseconds = Math.max(...reachingLimit.map(({ reachesLimit = 0 }) => reachesLimit));
  return { limited: { milliseconds, scenarios: reachingLimit.map(({ name }) => name) } };
}

/** Formats a duration, to the second. */
export function formatSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
