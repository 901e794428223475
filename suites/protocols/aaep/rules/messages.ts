import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { coreContext, type EventName } from "./event.ts";

/** The context of an extension invented for the vectors: the water levels of a harbour. */
export const tidewatch = "https://tidewatch.example/context/v1";

const summaries = {
  summary_terse: "Moving on.",
  summary_normal: "The harbour desk moves on.",
  summary_detailed: "The harbour desk moves on with the search for a berth.",
};

/** A valid payload of each event. */
const payloads: Readonly<Record<EventName, JsonObject>> = {
  "agent.session.started": { summary_normal: "Looking for a free berth." },
  "agent.state.changed": { from_state: "idle", to_state: "thinking", ...summaries },
  "agent.progress.updated": {
    urgency: "background",
    progress: { step: 2, total_steps: 3 },
    summary_normal: "Two of three quays searched.",
  },
  "agent.tool.invoked": { tool: "find_berth", ...summaries },
  "agent.tool.completed": { tool: "find_berth", status: "success", ...summaries },
  "agent.output.streaming": { chunk: "Berth E14 is free. ", position: 0, complete: false, coalesce_hint: "sentence" },
  "agent.awaiting.confirmation": {
    urgency: "critical",
    action: "Note the boat on the waiting list.",
    consequence: "You are told when a berth becomes free.",
    reply_token: "rpl_4wait",
    timeout_seconds: 60,
    default_decision: "reject",
    risk_level: "low",
    reversibility: "reversible",
    ...summaries,
  },
  "agent.awaiting.clarification": {
    urgency: "critical",
    question: "What is the name of the boat?",
    reply_token: "rpl_6name",
    timeout_seconds: 120,
    summary_normal: "The harbour desk asks for the name of the boat.",
  },
  "agent.handoff.requested": {
    urgency: "critical",
    reason: "The berth is held under another name.",
    target_kind: "human",
    summary_normal: "A harbour clerk has to look at this.",
  },
  "agent.session.completed": { summary_normal: "Berth E14 is booked." },
  "agent.session.errored": {
    urgency: "critical",
    error_category: "transient",
    summary_normal: "The harbour does not answer.",
  },
  "agent.session.cancelled": { cancelled_by: "user", summary_normal: "You called off the search." },
};

/** Members of a message; an undefined member is left out. */
export type Members = Readonly<Record<string, Json | undefined>>;

/** Makes a core event with the given members in place of the usual ones. Without them, the event follows every rule. */
export function makeEvent(name: EventName, members: Members = {}): JsonObject {
  return mergeMembers({ ...commonMembers, type: `aaep:${name}` }, payloads[name], members);
}

/** Makes an event of an extension that follows every rule. */
export function makeExtensionEvent(members: Members = {}): JsonObject {
  return mergeMembers(
    { ...commonMembers, "@context": [coreContext, tidewatch], type: "tidewatch:gate.opened" },
    members,
  );
}

/** Makes a request for a subscription. */
export function makeRequest(capabilities: Json = {}, members: Members = {}): JsonObject {
  const head = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "quay-reader" };
  return mergeMembers(head, { capabilities }, members);
}

/** Makes the acceptance of a subscription. */
export function makeAcceptance(honored: Json = {}, members: Members = {}): JsonObject {
  const head = { type: "subscription.accepted", subscription_id: "sub_p4", aaep_version: "1.0.0" };
  return mergeMembers(head, { producer: { agent_id: "harbour-desk" }, honored_capabilities: honored }, members);
}

const commonMembers = {
  "@context": coreContext,
  aaep_version: "1.0.0",
  event_id: "evt_60f2",
  session_id: "sess_7k2m",
  timestamp: "2026-01-15T09:30:01Z",
  producer: { agent_id: "harbour-desk" },
  localization_hints: { primary_language: "en-GB" },
};

function mergeMembers(...parts: readonly Members[]): JsonObject {
  const definedMembers = Object.assign({}, ...parts) as Record<string, Json | undefined>;
  return Object.fromEntries(Object.entries(definedMembers).filter(([, value]) => value !== undefined)) as JsonObject;
}
