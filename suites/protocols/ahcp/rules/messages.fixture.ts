import type { Json, JsonObject } from "../../../../schemas/index.ts";

const agent: JsonObject = { id: "oven-watch", run_id: "run-18", runtime: "cloud" };
const commonMembers: JsonObject = { ahcp_version: "0.3", created_at: "2026-03-02T04:10:00Z", agent };

/** Minimal valid messages of each kind. Asks and tasks contain all that a hub needs to resolve them. */
export const notify: JsonObject = { ...commonMembers, type: "notify", title: "First batch is out of the oven" };

export const select: JsonObject = ask("Which bread goes first?", "k-select", {
  mode: "select",
  options: [
    { value: "rye", label: "Rye" },
    { value: "wheat", label: "Wheat" },
  ],
});

export const confirm: JsonObject = ask("Start the second oven?", "k-confirm", { mode: "confirm" });

export const input: JsonObject = ask("How shall the dough be mixed?", "k-input", {
  mode: "input",
  schema: form({ flour: { type: "string" }, litres: { type: "number" } }, ["flour"]),
});

export const task: JsonObject = {
  ...commonMembers,
  type: "task",
  title: "Clean the steam nozzle",
  idempotency_key: "k-task",
  action: { instructions: "Unscrew it and rinse it.", allowed_resolvers: ["human:bea"] },
};

function ask(title: string, key: string, request: JsonObject): JsonObject {
  return {
    ...commonMembers,
    type: "ask",
    title,
    idempotency_key: key,
    request: { ...request, allowed_resolvers: ["human:bea"] },
  };
}

/** The form of an input ask. */
export function form(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** The ask with added or replaced members in its request. */
export function askWith(message: JsonObject, members: JsonObject): JsonObject {
  return { ...message, request: { ...(message.request as JsonObject), ...members } };
}

/** Options with these values. */
export function options(...values: string[]): Json[] {
  return values.map((value, index) => ({ value, label: `Choice ${index + 1}` }));
}
