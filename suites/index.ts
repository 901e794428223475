export type { SigningKey } from "../schemas/index.ts";
export { type Action, type AgentRun, type AgentSetting, playAgent } from "./agent/index.ts";
export * from "./corpus/index.ts";
export { defineConfig } from "./define-config.ts";
export { type Format, formats, type RenderOptions } from "./reports/index.ts";
export { commandLine, replay } from "./run/replay.ts";
export { type Progress, runSuite, type SuiteOptions } from "./run/suite.ts";
export { targetFrom } from "./targets/index.ts";
export { type Question, type Target, TargetFailure, TargetSkip } from "./targets/target.ts";
