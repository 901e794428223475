import type { Scenario } from "../../../../../schemas/index.ts";
import { earnScenario } from "../earned.ts";
import { conflicts } from "./conflicts.ts";
import { cues } from "./cues.ts";
import { receivingScenarios } from "./receiving.ts";
import { recordedScenario } from "./recorded.ts";
import { sending } from "./sending.ts";
import { stops } from "./stops.ts";
import { work } from "./work.ts";
import { yamlScenarios } from "./yaml.ts";

/** Scenarios for an agent; the suite plays the hub, the orchestrator and another agent. The last one judges the messages of all scenarios. */
export const agentScenarios: readonly Scenario[] = [
  ...[
    ...sending,
    ...receivingScenarios,
    ...yamlScenarios,
    ...cues,
    ...stops,
    ...work,
    ...conflicts,
    recordedScenario,
  ].map(earnScenario),
];
