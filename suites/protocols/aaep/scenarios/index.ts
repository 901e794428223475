import type { Scenario } from "../../../../schemas/index.ts";
import { producerScenarios } from "./producer/index.ts";
import { subscriberScenarios } from "./subscriber/index.ts";

export { bounds } from "./bounds.ts";

/** The scenarios in the order of play. */
export const scenarios: readonly Scenario[] = [...producerScenarios, ...subscriberScenarios];
