import type { Scenario } from "../../../../schemas/index.ts";
import { agentScenarios } from "./agent/index.ts";
import { hubScenarios } from "./hub/hub.ts";
import { receiverScenarios } from "./receiver/receiver.ts";

export { bounds } from "./bounds.ts";

/** The scenarios in the order of play. */
export const scenarios: readonly Scenario[] = [...agentScenarios, ...hubScenarios, ...receiverScenarios];

export const takesCommand = true;
