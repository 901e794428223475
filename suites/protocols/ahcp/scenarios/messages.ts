import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";

/** The default resolver of asks and tasks. */
export const tester = "human:tester";

function commonMembers(context: ScenarioContext, type: string): JsonObject {
  return {
    ahcp_version: "0.3",
    type,
    created_at: new Date().toISOString(),
    agent: { id: context.agents.a, run_id: context.fresh("run"), runtime: "other" },
    title: context.fresh(type),
  };
}

/** The smallest notify, without a key. */
export function notify(context: ScenarioContext, members: JsonObject = {}): JsonObject {
  return { ...commonMembers(context, "notify"), ...members };
}

/** An ask to select `red` or `blue`. `request` adds or replaces members of its `request`. */
export function ask(context: ScenarioContext, members: JsonObject = {}, request: JsonObject = {}): JsonObject {
  const options = [
    { value: "red", label: "Red" },
    { value: "blue", label: "Blue" },
  ];
  const block = { mode: "select", options, allowed_resolvers: [tester], ...request };
  return { ...commonMembers(context, "ask"), idempotency_key: context.fresh("key"), request: block, ...members };
}

export function task(context: ScenarioContext, members: JsonObject = {}, action: JsonObject = {}): JsonObject {
  const block = { instructions: "Turn the key.", allowed_resolvers: [tester], ...action };
  return { ...commonMembers(context, "task"), idempotency_key: context.fresh("key"), action: block, ...members };
}

/** The members of `request` that turn an ask into a confirm. */
export const confirm: JsonObject = { mode: "confirm", options: undefined as never };

/** The members of `request` that turn an ask into an input, with a form for a note. */
export const input: JsonObject = {
  mode: "input",
  options: undefined as never,
  schema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
};

/** A message of each kind other than a select, with a valid resolution. */
export function messagesOfOtherKinds(
  context: ScenarioContext,
  block: JsonObject = {},
  asConfirm: JsonObject = confirm,
): [description: string, message: JsonObject, ending: JsonObject][] {
  return [
    ["a task", task(context, {}, block), { resolution: "completed" }],
    ["an input", ask(context, {}, { ...input, ...block }), { resolution: "answered", value: { note: "x" } }],
    ["a confirm", ask(context, {}, { ...asConfirm, ...block }), { resolution: "answered", value: "approve" }],
  ];
}

/** The message with a different agent. */
export function fromAgent(agent: string, message: JsonObject): JsonObject {
  return { ...message, agent: { ...(message.agent as JsonObject), id: agent } };
}
