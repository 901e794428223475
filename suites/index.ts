export type { SigningKey } from "../schemas/index.ts";
export { type Action, type AgentRun, type AgentSetting, playAgent } from "./agent/index.ts";
export { type ChallengeOptions, privateSet } from "./challenge/index.ts";
export * from "./corpus/index.ts";
export { defineConfig } from "./define-config.ts";
export {
  combine,
  compare,
  type Difference,
  type Format,
  formats,
  merge,
  type Pair,
  type PlaceInSet,
  type RenderOptions,
  readReport,
  type Source,
} from "./reports/index.ts";
export { commandLine } from "./results/command-line.ts";
export { replay } from "./results/replay.ts";
export { type Progress, runSuite, type SuiteOptions } from "./run/suite.ts";
export { type Detection, escapes, selftest } from "./selftest/selftest.ts";
export { defineTarget, type ModuleTarget, type Validator, type ValidatorAnswer } from "./targets/define-target.ts";
export { type InProcessOptions, inProcess } from "./targets/in-process.ts";
export { targetFrom } from "./targets/index.ts";
export type { Context } from "./targets/module/judges.ts";
export { type Question, type Target, TargetFailure, TargetSkip } from "./targets/target.ts";
export { type Found, validate } from "./validate/validate.ts";
