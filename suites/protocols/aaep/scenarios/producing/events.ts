import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";

export const vocabulary = "https://aaep-protocol.org/context/v1";

/** Events of a right producer, each with its own words. */
export interface Script {
  session: string;
  /** The next event of the session; members of `more` replace its own. */
  event(name: string, payload?: JsonObject, more?: JsonObject): JsonObject;
}

/** An id of a kind that nothing else has. */
export function idFor(context: ScenarioContext, kind: string): string {
  return `${kind}_${context
    .fresh(kind)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(-60)}`;
}

export function scriptOf(context: ScenarioContext): Script {
  const session = idFor(context, "sess");
  let number = 0;
  return {
    session,
    event(name, payload = {}, more = {}) {
      const words = context.fresh("words").replaceAll("-", " ");
      const said: JsonObject = name.startsWith("output.")
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
        sequence_number: number,
        timestamp: new Date().toISOString(),
        producer: { agent_id: "touchstone-producer" },
        localization_hints: { primary_language: "en-GB" },
        ...said,
        ...usualEvent(name, number, words),
        ...payload,
        ...more,
      };
      number += 1;
      return event;
    },
  };
}

/** Every combination of progress members, with a matching text. */
export function progressIn(words: string): JsonObject[] {
  const members = Object.entries({ percent: 50, step: 2, total_steps: 4, description: `Half of ${words}.` });
  return Array.from({ length: 2 ** members.length - 1 }, (_, index) =>
    Object.fromEntries(members.filter((_member, bit) => (((index + 1) >> bit) & 1) === 1)),
  );
}

/** The payload that an event of a type requires; progress differs from number to number. */
function usualEvent(name: string, number: number, words: string): JsonObject {
  switch (name) {
    case "session.errored":
      return { error_category: "permanent", urgency: "critical" };
    case "session.cancelled":
      return { cancelled_by: "system" };
    case "state.changed":
      return { from_state: "idle", to_state: "thinking" };
    case "progress.updated":
      return { progress: progressIn(words).at(number % 15) ?? {}, urgency: "background" };
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

/** A question for consent. */
export function confirmation(token: string, more: JsonObject = {}): JsonObject {
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
    ...more,
  };
}

/** A question for information. */
export function clarification(token: string, more: JsonObject = {}): JsonObject {
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
    ...more,
  };
}
