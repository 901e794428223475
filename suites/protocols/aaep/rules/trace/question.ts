import { instant, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { stringsIn } from "./terms.ts";

/** A producer's confirmation or clarification. */
export interface TraceQuestion {
  event: Event;
  kind: "confirmation" | "clarification";
  token: string;
  /** From this time on an answer is late. */
  deadline?: number;
  /** From this time on an answer is certainly late. It is after the deadline if the timestamp omits digits that the producer may use. */
  latestDeadline?: number;
  /** The entry after which it is no longer open: an answer, an event after its deadline, or the end of its session. */
  closedAt?: number;
  /** Set if the producer may have dropped it, because the state changed while no other question was open. */
  isDropped?: true;
}

/** Reads an event as a question. Undefined if it is another event. */
export function questionOf(event: Event): TraceQuestion | undefined {
  const { name, stamp, message } = event;
  const kind = kinds[name ?? ""];
  const { reply_token: token, timeout_seconds: seconds } = message;
  if (kind === undefined || typeof token !== "string") return undefined;
  if (stamp === undefined || typeof seconds !== "number") return { event, kind, token };
  const deadline = stamp + seconds * 1000;
  return { event, kind, token, deadline, latestDeadline: deadline + omittedMilliseconds(message.timestamp) };
}

/** Returns how many milliseconds further digits of a timestamp could add. */
function omittedMilliseconds(stamp: Json | undefined): number {
  const [, digits = ""] = /[.](\d+)/.exec(String(stamp)) ?? [];
  return 1000 / 10 ** digits.length;
}

const kinds: Readonly<Record<string, TraceQuestion["kind"]>> = {
  "agent.awaiting.confirmation": "confirmation",
  "agent.awaiting.clarification": "clarification",
};

/** A subscriber's reply to a question of this kind. */
export interface SubscriberReply {
  sent: Sent;
  kind: TraceQuestion["kind"];
  token: string;
  stamp?: number;
}

/** Reads a message as a reply. Undefined if it is another message. */
export function replyOf(sent: Sent): SubscriberReply | undefined {
  const { type, reply_token: token, timestamp } = sent.message;
  const kind = type === "confirmation.reply" || type === "clarification.reply" ? type.slice(0, -".reply".length) : "";
  if (sent.from !== "subscriber" || kind === "" || typeof token !== "string") return undefined;
  const stamp = instant(timestamp);
  return { sent, kind: kind as TraceQuestion["kind"], token, ...(stamp === undefined ? {} : { stamp }) };
}

/** Whether the question allows this decision. Without a list, it allows accept and reject. */
export function allowsDecision({ event }: TraceQuestion, decision: Json): boolean {
  const { allowed_replies: allowedReplies = ["accept", "reject"] } = event.message;
  return !Array.isArray(allowedReplies) || allowedReplies.includes(decision);
}

/** Whether a response is of a kind that the question accepts. If it does not name kinds, any answer is accepted. */
export function acceptsResponse({ event }: TraceQuestion, response: Json): boolean {
  const { accepted_response_kinds: acceptedKinds, choices } = event.message;
  const values = (Array.isArray(choices) ? choices : []).map((choice) => (isObject(choice) ? choice.value : undefined));
  const knownKinds = stringsIn(acceptedKinds)?.filter((kind) => kind in responseTests) ?? [];
  return knownKinds.length === 0 || knownKinds.some((kind) => responseTests[kind]?.(response, values));
}

const responseTests: Readonly<Record<string, (response: Json, values: readonly (Json | undefined)[]) => boolean>> = {
  freetext: (response) => typeof response === "string",
  yes_no: (response) => typeof response === "boolean",
  numeric: (response) => typeof response === "number",
  multiple_choice: (response, values) => typeof response === "string" && values.includes(response),
};

/** Judges whether a reply counts: its kind fits, its answer is possible, and it was decided in time. The verdict is unsure if it may be late. */
export function judgeReply(
  question: TraceQuestion,
  { kind, stamp, sent }: SubscriberReply,
): "counts" | "unsure" | "ignored" {
  const { decision, response } = sent.message;
  const isPossible =
    kind === "confirmation"
      ? (decision === "accept" || decision === "reject") && allowsDecision(question, decision)
      : response !== undefined && acceptsResponse(question, response);
  const { deadline = Infinity, latestDeadline = Infinity } = question;
  if (kind !== question.kind || !isPossible || (stamp ?? -Infinity) >= latestDeadline) return "ignored";
  return (stamp ?? -Infinity) >= deadline ? "unsure" : "counts";
}

/** Returns the id of the call that a question is about, if the producer names it. The specification does not define a member for it. */
export function callIdOf({ event }: TraceQuestion): string | undefined {
  const { extra_context: context } = event.message as JsonObject;
  return isObject(context) && typeof context.tool_call_id === "string" ? context.tool_call_id : undefined;
}
