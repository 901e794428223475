import { instant, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { texts } from "./terms.ts";

/** A producer's confirmation or clarification. */
export interface TraceQuestion {
  event: Event;
  kind: "confirmation" | "clarification";
  token: string;
  /** An answer from this time on is late. */
  deadline?: number;
  /** The latest time at which an answer may still be in time, because a timestamp may omit digits that its producer uses. */
  latest?: number;
  /** The entry after which it is no longer open: an answer, an event after its deadline, or the end of its session. */
  until?: number;
  /** Set if the producer may have dropped it: the state changed while no other question was open. */
  isDropped?: true;
}

export function questionOf(event: Event): TraceQuestion | undefined {
  const { name, stamp, message } = event;
  const kind = kinds[name ?? ""];
  const { reply_token: token, timeout_seconds: seconds } = message;
  if (kind === undefined || typeof token !== "string") return undefined;
  if (stamp === undefined || typeof seconds !== "number") return { event, kind, token };
  const deadline = stamp + seconds * 1000;
  return { event, kind, token, deadline, latest: deadline + leftOutOf(message.timestamp) };
}

/** The milliseconds that a timestamp may omit after its last digit. */
function leftOutOf(stamp: Json | undefined): number {
  const [, digits = ""] = /[.](\d+)/.exec(String(stamp)) ?? [];
  return 1000 / 10 ** digits.length;
}

const kinds: Readonly<Record<string, TraceQuestion["kind"]>> = {
  "agent.awaiting.confirmation": "confirmation",
  "agent.awaiting.clarification": "clarification",
};

/** A subscriber's reply, and the kind of question that it answers. */
export interface SubscriberReply {
  sent: Sent;
  kind: TraceQuestion["kind"];
  token: string;
  stamp?: number;
}

export function replyOf(sent: Sent): SubscriberReply | undefined {
  const { type, reply_token: token, timestamp } = sent.message;
  const kind = type === "confirmation.reply" || type === "clarification.reply" ? type.slice(0, -".reply".length) : "";
  if (sent.from !== "subscriber" || kind === "" || typeof token !== "string") return undefined;
  const stamp = instant(timestamp);
  return { sent, kind: kind as TraceQuestion["kind"], token, ...(stamp === undefined ? {} : { stamp }) };
}

/** Whether the question allows this decision. Without a list, it allows accept and reject. */
export function allows({ event }: TraceQuestion, decision: Json): boolean {
  const { allowed_replies: allowed = ["accept", "reject"] } = event.message;
  return !Array.isArray(allowed) || allowed.includes(decision);
}

/** Whether a response is of a kind that the question accepts. If it names no kinds, any answer is accepted. */
export function suits({ event }: TraceQuestion, response: Json): boolean {
  const { accepted_response_kinds: accepted, choices } = event.message;
  const values = (Array.isArray(choices) ? choices : []).map((choice) => (isObject(choice) ? choice.value : undefined));
  const known = texts(accepted)?.filter((kind) => kind in tests) ?? [];
  return known.length === 0 || known.some((kind) => tests[kind]?.(response, values));
}

const tests: Readonly<Record<string, (response: Json, values: readonly (Json | undefined)[]) => boolean>> = {
  freetext: (response) => typeof response === "string",
  yes_no: (response) => typeof response === "boolean",
  numeric: (response) => typeof response === "number",
  multiple_choice: (response, values) => typeof response === "string" && values.includes(response),
};

/** Whether the producer must accept the reply: it has the right kind and a possible answer, and was decided in time. Exactly at the deadline, the producer may accept it. */
export function weightOf(
  question: TraceQuestion,
  { kind, stamp, sent }: SubscriberReply,
): "counts" | "unsure" | "ignored" {
  const { decision, response } = sent.message;
  const fits =
    kind === "confirmation"
      ? (decision === "accept" || decision === "reject") && allows(question, decision)
      : response !== undefined && suits(question, response);
  const { deadline = Infinity, latest = Infinity } = question;
  if (kind !== question.kind || !fits || (stamp ?? -Infinity) >= latest) return "ignored";
  return (stamp ?? -Infinity) >= deadline ? "unsure" : "counts";
}

/** The call that a question is about, if its producer names it. The specification has no member for this. */
export function callOf({ event }: TraceQuestion): string | undefined {
  const { extra_context: context } = event.message as JsonObject;
  return isObject(context) && typeof context.tool_call_id === "string" ? context.tool_call_id : undefined;
}
