export { type AgentRun, playAgent } from "./run.ts";
export type { Action, AgentSetting } from "./setting.ts";
export type { AgentScene, AgentSide, AgentStory } from "./side.ts";
export { type AgentSuiteOptions, agentSuite } from "./suite.ts";
