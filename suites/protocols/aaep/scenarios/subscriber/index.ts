import type { Scenario } from "../../../../../schemas/index.ts";
import { connectionEndScenarios } from "./connection-ends.ts";
import { copingScenarios } from "./coping.ts";
import { decidingScenarios } from "./deciding.ts";
import { presentationScenarios } from "./presentation.ts";
import { progressScenarios } from "./progress.ts";
import { signedManifestScenarios } from "./signed-manifests.ts";

/** Scenarios with the suite as the producer of a subscriber, in the order of play. */
export const subscriberScenarios: readonly Scenario[] = [
  ...presentationScenarios,
  ...progressScenarios,
  ...decidingScenarios,
  ...copingScenarios,
  ...connectionEndScenarios,
  ...signedManifestScenarios,
];
