import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";

/** Who resolves, unless a scenario is about that. */
export const tester = "human:tester";

function common(stage: ScenarioContext, type: string): JsonObject {
  return {
    ahcp_version: "0.3",
    type,
    created_at: new Date().toISOString(),
    agent: { id: stage.agents.a, run_id: stage.fresh("run"), runtime: "other" },
    title: stage.fresh(type),
  };
}

/** The least notify, without a key. */
export function notify(stage: ScenarioContext, more: JsonObject = {}): JsonObject {
  return { ...common(stage, "notify"), ...more };
}

/** An ask to choose between `red` and `blue`; `request` adds to its block. */
export function ask(stage: ScenarioContext, more: JsonObject = {}, request: JsonObject = {}): JsonObject {
  const options = [
    { value: "red", label: "Red" },
    { value: "blue", label: "Blue" },
  ];
  const block = { mode: "select", options, allowed_resolvers: [tester], ...request };
  return { ...common(stage, "ask"), idempotency_key: stage.fresh("key"), request: block, ...more };
}

export function task(stage: ScenarioContext, more: JsonObject = {}, action: JsonObject = {}): JsonObject {
  const block = { instructions: "Turn the key.", allowed_resolvers: [tester], ...action };
  return { ...common(stage, "task"), idempotency_key: stage.fresh("key"), action: block, ...more };
}

/** The message as if another agent had written it. */
export function by(agent: string, message: JsonObject): JsonObject {
  return { ...message, agent: { ...(message.agent as JsonObject), id: agent } };
}
