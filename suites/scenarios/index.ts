import { ahcpScenarios } from "../protocols/ahcp/scenarios/index.ts";
import type { Scenario } from "./scenario.ts";

export { stagedReference } from "./reference.ts";
export { type Expected, expectedOf, playScenarios, type ScenarioRun } from "./run.ts";
export type { Hook, Setting, Staged } from "./setting.ts";

/** The scenarios of the protocols that have some, by their names. */
export const scenarios: Readonly<Record<string, readonly Scenario[]>> = { ahcp: ahcpScenarios };
