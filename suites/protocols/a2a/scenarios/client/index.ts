import type { Scenario } from "../../../../../schemas/index.ts";
import { choiceScenarios } from "./choosing.ts";
import { readingScenarios } from "./reading.ts";
import { requestScenarios } from "./requests.ts";
import { signatureScenarios } from "./signatures.ts";

/** Scenarios in which the suite plays the agent of a client, in the order in which they are played. */
export const clientScenarios: readonly Scenario[] = [
  ...requestScenarios,
  ...choiceScenarios,
  ...readingScenarios,
  ...signatureScenarios,
];
