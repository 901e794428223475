import type { Scenario } from "../../../../../schemas/index.ts";
import { copingScenarios } from "./coping.ts";
import { decidingScenarios } from "./deciding.ts";
import { hearingScenarios } from "./hearing.ts";
import { leavingScenarios } from "./leaving.ts";
import { progress } from "./progress.ts";

/** Scenarios with the suite as the producer of a subscriber, in the order of play. */
export const subscriberScenarios: readonly Scenario[] = [
  ...hearingScenarios,
  ...progress,
  ...decidingScenarios,
  ...copingScenarios,
  ...leavingScenarios,
];
