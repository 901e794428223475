import type { AgentSide } from "../../../../../schemas/index.ts";
import { startAgent } from "../../reference/agent/agent.ts";
import { agentPolicy } from "../../reference/agent/variants.ts";
import { asking } from "./asking.ts";
import { duplicates } from "./duplicates.ts";
import { resuming } from "./resuming.ts";
import type { AgentScenario } from "./scenario.ts";
import { signatures } from "./signatures.ts";
import { agentStageFor } from "./stage.ts";

/** The scenarios in which the suite is the hub. */
const scenarios: readonly AgentScenario[] = [...signatures, ...duplicates, ...resuming, ...asking];

export const agent: AgentSide = {
  scenarios,
  begin(story, scene) {
    const scenario = scenarios.find(({ name }) => name === story);
    if (scenario === undefined) throw new Error(`there is no story "${story}" with an agent`);
    const { stage, findings, end } = agentStageFor(scene);
    return { findings, story: () => scenario.play(stage).finally(end) };
  },
  async serve(key, { variant, port }) {
    return startAgent(key, variant === undefined ? {} : agentPolicy(variant), port);
  },
};
