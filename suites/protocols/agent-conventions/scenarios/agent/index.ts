import type { Scenario } from "../../../../../schemas/index.ts";
import { earnScenario } from "../earned.ts";
import { conflicts } from "./conflicts.ts";
import { cues } from "./cues.ts";
import { receivingScenarios } from "./receiving.ts";
import { recordedScenario } from "./recorded.ts";
import { sending } from "./sending.ts";
import { stops } from "./stops.ts";
import { yamlScenarios } from "./texts.ts";
import { work } from "./work.ts";

/** Scenarios with the suite as the hub, the orchestrator and another agent. The last one judges the messages of all. */
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
