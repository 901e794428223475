export type { Action, AgentSetting, Pack, SigningKey, Violation } from "../schemas/index.ts";
export { type Question, type Target, TargetFailure, TargetSkip } from "../schemas/index.ts";
export { type AgentRun, playAgent } from "./agent/index.ts";
export { type ChallengeOptions, privateSet } from "./challenge/index.ts";
export * from "./corpus/index.ts";
export { defineConfig } from "./define-config.ts";
export { packOf, ruled } from "./pack/load.ts";
export { definePack, type OwnChecker, type OwnFamily, type OwnPack } from "./pack/own.ts";
export {
  type Background,
  backgroundOf,
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
export { referenceEnvironments } from "./run/environments.ts";
export type { Environments } from "./run/scenarios.ts";
export { type Progress, runSuite, type SuiteOptions } from "./run/suite.ts";
export { type Detection, misjudged, selftest } from "./selftest/selftest.ts";
export { defineTarget, type ModuleTarget, type Validator, type ValidatorAnswer } from "./targets/define-target.ts";
export { type InProcessOptions, inProcess } from "./targets/in-process.ts";
export { targetFrom } from "./targets/index.ts";
export type { Context } from "./targets/module/judges.ts";
export { validate } from "./validate/validate.ts";
