export { type AgentRun, playAgent } from "./run.ts";
export { type AgentSuiteOptions, agentSuite } from "./suite.ts";
