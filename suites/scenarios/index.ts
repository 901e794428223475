export type { LiveOptions, LiveReference, LiveVariant } from "./live.ts";
export { type Expected, expectedOf, playScenarios, type ScenarioRun } from "./run.ts";
export type { Hook, Setting, Staged } from "./setting.ts";
export type { Detour, Walks, WalksRun } from "./walks.ts";
