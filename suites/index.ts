import type { Config } from "../schemas/index.ts";

export * from "./corpus/index.ts";
export { type Format, formats, type RenderOptions } from "./reports/index.ts";
export { commandLine, replay } from "./run/replay.ts";
export { type Progress, runSuite, type SuiteOptions } from "./run/suite.ts";
export { targetFrom } from "./targets/index.ts";
export { type Question, type Target, TargetFailure, TargetSkip } from "./targets/target.ts";

/** A configuration as it is, checked by the editor. */
export function defineConfig(config: Config): Config {
  return config;
}
