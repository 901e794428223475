import type { Scenario } from "../../../../../schemas/index.ts";
import { earnScenario } from "../earned.ts";
import { conflictScenarios } from "./conflicts.ts";
import { cueScenarios } from "./cues.ts";
import { receivingScenarios } from "./receiving.ts";
import { recordedScenario } from "./recorded.ts";
import { sendingScenarios } from "./sending.ts";
import { stopScenarios } from "./stops.ts";
import { workScenarios } from "./work.ts";
import { yamlScenarios } from "./yaml.ts";

/** Scenarios for an agent; the suite plays the hub, the orchestrator and another agent. The last one judges the messages of all scenarios. */
export const agentScenarios: readonly Scenario[] = [
  ...[
    ...sendingScenarios,
    ...receivingScenarios,
    ...yamlScenarios,
    ...cueScenarios,
    ...stopScenarios,
    ...workScenarios,
    ...conflictScenarios,
    recordedScenario,
  ].map(earnScenario),
];
