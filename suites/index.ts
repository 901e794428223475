export type { Action, AgentSetting, Pack, SigningKey, Violation } from "../schemas/index.ts";
export { type Question, type Target, TargetFailure, TargetSkip } from "../schemas/index.ts";
export { defineConfig } from "./api/define-config.ts";
export * from "./packs/corpus/index.ts";
export { packOf, ruled } from "./packs/pack/load.ts";
export { definePack, type OwnChecker, type OwnFamily, type OwnPack } from "./packs/pack/own-pack.ts";
export { validate } from "./packs/validate/validate.ts";
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
export { type AgentRun, playAgent } from "./running/agent/index.ts";
export { type ChallengeOptions, privateSet } from "./running/challenge/index.ts";
export { referenceEnvironments } from "./running/run/environments.ts";
export type { Environments } from "./running/run/scenarios.ts";
export { type Progress, runSuite, type SuiteOptions } from "./running/run/suite.ts";
export { type Detection, misjudged, selftest } from "./running/selftest/selftest.ts";
export { defineTarget, type ModuleTarget, type Validator, type ValidatorAnswer } from "./targets/define-target.ts";
export { type InProcessOptions, inProcess } from "./targets/in-process.ts";
export { targetFrom } from "./targets/index.ts";
export type { Context } from "./targets/module/judges.ts";
