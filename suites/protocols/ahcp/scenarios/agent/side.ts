import type { AgentSide } from "../../../../../schemas/index.ts";
import { startAgent } from "../../reference/agent/agent.ts";
import { agentPolicy } from "../../reference/agent/variants.ts";
import { askingScenarios } from "./asking.ts";
import { channelScenarios } from "./channels.ts";
import { agentContextFor } from "./context.ts";
import { duplicateScenarios } from "./duplicates.ts";
import { resumingScenarios } from "./resuming.ts";
import type { AgentScenario } from "./scenario.ts";
import { sealingScenarios } from "./sealing.ts";
import { signatureScenarios } from "./signatures.ts";

/** The scenarios in which the suite is the hub. */
const scenarios: readonly AgentScenario[] = [
  ...signatureScenarios,
  ...duplicateScenarios,
  ...channelScenarios,
  ...sealingScenarios,
  ...resumingScenarios,
  ...askingScenarios,
];

export const agent: AgentSide = {
  scenarios,
  begin(story, options) {
    const scenario = scenarios.find(({ name }) => name === story);
    if (scenario === undefined) throw new Error(`there is no agent scenario named "${story}"`);
    const { context, findings, end } = agentContextFor(options);
    return { findings, story: () => scenario.play(context).finally(end) };
  },
  async serve(key, { variant, port }) {
    return startAgent(key, variant === undefined ? {} : agentPolicy(variant), port);
  },
};
