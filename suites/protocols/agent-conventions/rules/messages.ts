import type { Json, JsonObject } from "../../../../schemas/index.ts";

/** A UUID of version 4 that ends in this number. */
export function uuid(number: number): string {
  return `6513270e-269e-4d37-b2a7-${String(number).padStart(12, "0")}`;
}

/** A message with the five base members and more. */
function makeMessage(message_type: string, sender: string, recipient: string, members: JsonObject): JsonObject {
  return { message_id: uuid(1), timestamp: "2026-01-15T09:30:00Z", sender, recipient, message_type, ...members };
}

const lead = "orchestrator-main";
const coder = "specialist-code";

/** An assignment by the orchestrator. */
export function assignment(members: JsonObject = {}): JsonObject {
  return makeMessage("task.assignment", lead, coder, {
    task_id: "CODE-100",
    task: { description: "Write the login form." },
    ...members,
  });
}

/** A task message of another kind, from the assigned agent. */
export function report(specific: string, members: JsonObject = {}): JsonObject {
  return makeMessage(`task.${specific}`, coder, lead, { task_id: "CODE-100", ...members });
}

export function handoff(members: JsonObject = {}): JsonObject {
  const tester = "specialist-test";
  return makeMessage("task.handoff", coder, tester, {
    task_id: "CODE-100",
    handoff: { from_agent: coder, to_agent: tester },
    ...members,
  });
}

export function status(state: string, members: JsonObject = {}): JsonObject {
  return makeMessage(`status.${state}`, coder, "hub", { status: state, ...members });
}

export function cue(phase: string, members: JsonObject = {}): JsonObject {
  return makeMessage(`coord.${phase}`, lead, "broadcast", { cue_id: "CUE-100", target_agents: [coder], ...members });
}

/** An escalation with all recommended members. */
export function escalation(kind: string, category: string, members: JsonObject = {}): JsonObject {
  return makeMessage(`escalation.${kind}`, coder, lead, {
    severity: "HIGH",
    category,
    description: "The build server does not answer.",
    context: { operation: "build", expected: "an answer", actual: "none" },
    suggested_action: "Start the build server again.",
    can_retry: true,
    requires_human: false,
    ...members,
  });
}

export function acknowledgment(level: string, members: JsonObject = {}): JsonObject {
  return makeMessage(`ack.${level}`, coder, lead, { acknowledging_message_id: uuid(7), ...members });
}

/** The part of a message's type after the first dot; empty if there is no dot. */
export function specificOf(message: Json): string {
  const type = textAt(message, "message_type") ?? "";
  const dot = type.indexOf(".");
  return dot < 0 ? "" : type.slice(dot + 1);
}

export function categoryOf(message: Json): string {
  return (textAt(message, "message_type") ?? "").split(".")[0] as string;
}

/** A member of an object; undefined if the value is not an object or lacks it. */
export function member(value: Json | undefined, name: string): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textAt(value: Json | undefined, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** The strings in the list that a member contains, with their indices. */
export function textsAt(value: Json | undefined, name: string): { text: string; index: number }[] {
  const list = member(value, name);
  return (Array.isArray(list) ? list : []).flatMap((text, index) =>
    typeof text === "string" ? [{ text, index }] : [],
  );
}

/** The documents that are messages. */
export const messages = ["task", "status", "coordination", "escalation", "acknowledgment"] as const;
