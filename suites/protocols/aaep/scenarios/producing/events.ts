import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";

export const vocabulary = "https://aaep-protocol.org/context/v1";

/** Makes the events of one session as a correct producer would, each with unique texts. */
export interface SessionScript {
  session: string;
  /** Makes the next event of the session. The replacements override its members. */
  event(name: string, payload?: JsonObject, replacements?: JsonObject): JsonObject;
}

/** Makes a unique id with this prefix. */
export function idFor(context: ScenarioContext, prefix: string): string {
  const uniqueText = context.fresh(prefix).replaceAll(/[^A-Za-z0-9]/g, "");
  return `${prefix}_${uniqueText.slice(-60)}`;
}

export function createScript(context: ScenarioContext): SessionScript {
  const session = idFor(context, "sess");
  let sequenceNumber = 0;
  return {
    session,
    event(name, payload = {}, replacements = {}) {
      const words = context.fresh("words").replaceAll("-", " ");
      const summaries: JsonObject = name.startsWith("output.")
        ? {}
        : {
            summary_terse: `In short, ${words}.`,
            summary_normal: `This is ${words}.`,
            summary_detailed: `In full, this is ${words}.`,
          };
      const event = {
        "@context": vocabulary,
        aaep_version: "1.0.0",
        type: name.includes(":") ? name : `aaep:agent.${name}`,
        event_id: idFor(context, "evt"),
        session_id: session,
        sequence_number: sequenceNumber,
        timestamp: new Date().toISOString(),
        producer: { agent_id: "touchstone-producer" },
        localization_hints: { primary_language: "en-GB" },
        ...summaries,
        ...usualPayload(name, sequenceNumber, words),
        ...payload,
        ...replacements,
      };
      sequenceNumber += 1;
      return event;
    },
  };
}

/** Makes every combination of at least one member of a progress object, with a description of these words. */
export function progressCombinations(words: string): JsonObject[] {
  const members = Object.entries({ percent: 50, step: 2, total_steps: 4, description: `Half of ${words}.` });
  // Each bit of the number selects one member.
  return Array.from({ length: 2 ** members.length - 1 }, (_, index) =>
    Object.fromEntries(members.filter((_member, bit) => (((index + 1) >> bit) & 1) === 1)),
  );
}

/** Makes the usual payload of an event. The members of progress depend on the event's sequence number. */
function usualPayload(name: string, sequenceNumber: number, words: string): JsonObject {
  const combinations = progressCombinations(words);
  switch (name) {
    case "session.errored":
      return { error_category: "permanent", urgency: "critical" };
    case "session.cancelled":
      return { cancelled_by: "system" };
    case "state.changed":
      return { from_state: "idle", to_state: "thinking" };
    case "progress.updated":
      return { progress: combinations[sequenceNumber % combinations.length] ?? {}, urgency: "background" };
    case "tool.invoked":
      return { tool: "look_up", tool_call_id: "call_1", risk_level: "low" };
    case "tool.completed":
      return { tool: "look_up", tool_call_id: "call_1", status: "success" };
    case "handoff.requested":
      return { reason: "It takes a person.", target_kind: "human", urgency: "critical" };
    default:
      return {};
  }
}

/** Makes the payload of a confirmation question. */
export function confirmationPayload(token: string, extraMembers: JsonObject = {}): JsonObject {
  return {
    action: `Pay 120 euros to the harbour office for ${token.slice(4)}`,
    reply_token: token,
    consequence: `The money for ${token.slice(4)} is gone.`,
    timeout_seconds: 300,
    default_decision: "reject",
    risk_level: "high",
    reversibility: "irreversible",
    irreversible: true,
    urgency: "critical",
    ...extraMembers,
  };
}

/** Makes the payload of a clarification question. */
export function clarificationPayload(token: string, extraMembers: JsonObject = {}): JsonObject {
  return {
    question: "Which day do you mean?",
    reply_token: token,
    timeout_seconds: 300,
    urgency: "critical",
    accepted_response_kinds: ["multiple_choice"],
    choices: [
      { value: "friday", label: "Friday" },
      { value: "saturday", label: "Saturday" },
    ],
    ...extraMembers,
  };
}
