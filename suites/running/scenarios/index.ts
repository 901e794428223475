export type {
  Detour,
  Environment,
  Hook,
  LiveOptions,
  LiveReference,
  LiveVariant,
  Setting,
  Walks,
  WalksRun,
} from "../../../schemas/index.ts";
export type { Gone } from "./absence.ts";
export { boundsIn, mustBeBounds } from "./bounds.ts";
export { type ExpectedResult as Expected, expectedOf } from "./result.ts";
export { playScenarios, type ScenarioRun } from "./run.ts";
export { mustBeHooks, mustBeOptions, mustBeSide, ofSide, sidesOf } from "./sides.ts";
