import type { Json, JsonObject } from "../../../../schemas/index.ts";

/** A UUID of version 4 with the number as its last digits. */
export function uuid(number: number): string {
  return `6513270e-269e-4d37-b2a7-${String(number).padStart(12, "0")}`;
}

/** A message with its five base members, and the given members. */
function message(message_type: string, sender: string, recipient: string, members: JsonObject): JsonObject {
  return { message_id: uuid(1), timestamp: "2026-01-15T09:30:00Z", sender, recipient, message_type, ...members };
}

const lead = "orchestrator-main";
const coder = "specialist-code";

/** An assignment by the orchestrator. */
export function assignment(members: JsonObject = {}): JsonObject {
  return message("task.assignment", lead, coder, {
    task_id: "CODE-100",
    task: { description: "Write the login form." },
    ...members,
  });
}

/** Another task message, from the agent at work. */
export function report(specific: string, members: JsonObject = {}): JsonObject {
  return message(`task.${specific}`, coder, lead, { task_id: "CODE-100", ...members });
}

export function handoff(members: JsonObject = {}): JsonObject {
  const tester = "specialist-test";
  return message("task.handoff", coder, tester, {
    task_id: "CODE-100",
    handoff: { from_agent: coder, to_agent: tester },
    ...members,
  });
}

export function status(state: string, members: JsonObject = {}): JsonObject {
  return message(`status.${state}`, coder, "hub", { status: state, ...members });
}

export function cue(phase: string, members: JsonObject = {}): JsonObject {
  return message(`coord.${phase}`, lead, "broadcast", { cue_id: "CUE-100", target_agents: [coder], ...members });
}

/** An escalation with all members that one should have. */
export function escalation(kind: string, category: string, members: JsonObject = {}): JsonObject {
  return message(`escalation.${kind}`, coder, lead, {
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
  return message(`ack.${level}`, coder, lead, { acknowledging_message_id: uuid(7), ...members });
}

/** The text after the first dot of a message's type; empty when there is none. */
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
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}

/** The texts of a list that is a member; other items are left out. */
export function textsAt(value: Json | undefined, name: string): { text: string; index: number }[] {
  const found = member(value, name);
  return (Array.isArray(found) ? found : []).flatMap((text, index) =>
    typeof text === "string" ? [{ text, index }] : [],
  );
}

/** The documents that are messages. */
export const messages = ["task", "status", "coordination", "escalation", "acknowledgment"] as const;
