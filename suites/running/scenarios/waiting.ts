import type { JsonObject, Scenario, Setting } from "../../../schemas/index.ts";
import { hookAt, hookFrom } from "./hooks.ts";
import { unmetNeeds } from "./needs.ts";

/** The longest wait of a run, and the scenarios that are left out because they would wait longer. */
export interface WaitBounds {
  milliseconds: number;
  /** The number of scenarios that wait. */
  scenarios: number;
  skipped: { milliseconds: number; scenarios: number };
  /** Scenarios that may wait although the clock can be moved, because of timers of the target that do not go by it; and the longest such wait. */
  perhaps: { milliseconds: number; scenarios: number };
  /** The names of scenarios that exceed the target's limit of requests, and their longest wait for it. */
  limited?: { milliseconds: number; scenarios: readonly string[] };
  /** Members of a hook's answer that may say that some of these need not wait, since the hook moves the clock. */
  sayable?: readonly string[];
}

/** The longest wait of a scenario with this target, in milliseconds. */
export function waitOf({ waits = 0, needs }: Scenario, setting: Setting): number {
  const { timeScale = 1 } = setting;
  return unmetNeeds(["clock"], setting).length === 0 || unmetNeeds(needs, setting).length > 0 ? 0 : waits * timeScale;
}

/** What the clock hook says about timers, if a scenario depends on it. No scenario has been played by then, so an error does not matter. */
export async function readClock(scenarios: readonly Scenario[], setting: Setting): Promise<JsonObject> {
  const clock = setting.hooks?.clock;
  const isAsked = withOwnTimers(scenarios, setting).some(({ ownTimers }) => ownTimers !== true);
  if (clock === undefined || !isAsked) return {};
  return Promise.resolve({})
    .then(hookFrom("clock", clock))
    .catch(() => ({}));
}

/** The scenarios that may have to wait, without the scenarios that set the party's clock, if it has one at its address. */
export async function withoutClock(scenarios: readonly Scenario[], setting: Setting): Promise<readonly Scenario[]> {
  const { url } = setting;
  const otherScenarios = scenarios.filter((scenario) => scenario.asksClock !== true || waitOf(scenario, setting) === 0);
  if (url === undefined || otherScenarios.length === scenarios.length) return scenarios;
  const isThere = await Promise.resolve({})
    .then(hookAt(url, "clock").call)
    .then(
      ({ applied, skipped }) => applied !== false && typeof skipped !== "string",
      () => false,
    );
  return isThere ? otherScenarios : scenarios;
}

/** The waiting scenarios that fit into these milliseconds: the shortest first, so that most are played. */
export function playWithin(
  budget: number,
  scenarios: readonly Scenario[],
  setting: Setting,
  says: JsonObject = {},
): { waiting: WaitBounds; isPlayed(scenario: Scenario): boolean } {
  const none = { milliseconds: 0, scenarios: 0 };
  const withOwnClock = withOwnTimers(scenarios, setting).filter(
    ({ ownTimers }) => ownTimers === true || says[String(ownTimers)] !== true,
  );
  const sayable = [...new Set(withOwnClock.flatMap(({ ownTimers }) => (ownTimers === true ? [] : (ownTimers ?? []))))];
  const sayablePart = sayable.length === 0 ? {} : { sayable };
  const waitFacts = { perhaps: perhaps(withOwnClock, setting), ...sayablePart, ...limitScenarios(scenarios, setting) };
  const bounds: WaitBounds = { ...none, skipped: { ...none }, ...waitFacts };
  const long = new Set<Scenario>();
  const all = scenarios
    .map((scenario) => ({ scenario, wait: waitOf(scenario, setting) }))
    .filter(({ wait }) => wait > 0);
  for (const { scenario, wait } of all.sort((one, other) => one.wait - other.wait)) {
    const fits = bounds.milliseconds + wait <= budget;
    const sum = fits ? bounds : bounds.skipped;
    sum.milliseconds += wait;
    sum.scenarios += 1;
    if (!fits) long.add(scenario);
  }
  return { waiting: bounds, isPlayed: (scenario) => !long.has(scenario) };
}

function withOwnTimers(scenarios: readonly Scenario[], setting: Setting): Scenario[] {
  return scenarios.filter(
    ({ ownTimers, needs }) => ownTimers !== undefined && unmetNeeds(["clock", ...needs], setting).length === 0,
  );
}

function perhaps(withOwnClock: readonly Scenario[], { timeScale = 1 }: Setting): WaitBounds["perhaps"] {
  return {
    milliseconds: Math.max(0, ...withOwnClock.map(({ waits = 0 }) => waits * timeScale)),
    scenarios: withOwnClock.length,
  };
}

/** Scenarios that wait for the target's limit of requests, which nothing scales. */
function limitScenarios(scenarios: readonly Scenario[], setting: Setting): Pick<WaitBounds, "limited"> {
  const uncertain = scenarios.filter(
    (scenario) => scenario.reachesLimit !== undefined && unmetNeeds(scenario.needs, setting).length === 0,
  );
  if (uncertain.length === 0) return {};
  const milliseconds = Math.max(...uncertain.map(({ reachesLimit = 0 }) => reachesLimit));
  return { limited: { milliseconds, scenarios: uncertain.map(({ name }) => name) } };
}

/** Formats a duration, to the second. */
export function formatSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
