export { type AgentRun, agentScenarios, playAgent } from "./run.ts";
export type { Action, AgentSetting } from "./setting.ts";
export { type AgentSuiteOptions, agentSuite } from "./suite.ts";
