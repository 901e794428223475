export { type AgentRun, agentScenarios, playAgent } from "./run.ts";
export type { Action, AgentSetting, SigningKey } from "./setting.ts";
