import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { a, keyC } from "../../../rules/keys.ts";
import { signedBy } from "../../../rules/messages.ts";
import { breakSeal, freshId, type More, messageOf, requestWith, seconds, textFor } from "../../parties.ts";
import type { AgentModel, TakenMessage, WalkedTask, WalkMessage } from "./model.ts";
import type { AgentStep, Bent, WalkText } from "./step.ts";

/** A step that makes a message. */
export type Asking = Exclude<AgentStep, { do: "deliver" | "wait" | "replay" | "reuse" }>;

const methods = {
  send: "message/send",
  continue: "message/send",
  stream: "message/stream",
  get: "tasks/get",
  cancel: "tasks/cancel",
} as const;

/** The difference of the timestamp of such a message from now, in seconds. */
const clockOffsets: Partial<Record<Bent, number>> = { old: -180, early: 180, ahead: 50 };

/** Makes the message of a step. */
export async function letterFor(context: ScenarioContext, model: AgentModel, step: Asking): Promise<WalkMessage> {
  const { bent, way = "http" } = step;
  const { peer, tasks } = model;
  const of = "of" in step ? step.of : undefined;
  const text = "text" in step ? step.text : undefined;
  const by = bent === undefined ? undefined : clockOffsets[bent];
  const more: More = by === undefined ? {} : { timestamp: (await seconds(context)) + by };
  const to = bent === "misaddressed" ? { ...peer, identity: keyC.address[peer.network] } : peer;
  const whole = await requestWith(context, to, {
    method: methods[step.do],
    payload: payloadOf(context, step, tasks),
    more,
  });
  const message = bent === "forged" ? breakSeal(whole) : bent === "tampered" ? tamperWith(context, whole) : whole;
  return { message, way, bent, text, of };
}

function payloadOf(context: ScenarioContext, step: Asking, tasks: readonly WalkedTask[]): JsonObject {
  if ("text" in step) return messageOf(context, textOf(context, step.text));
  const named = { taskId: tasks[step.of]?.id ?? "none" };
  return step.do === "continue" ? { ...named, ...messageOf(context) } : named;
}

function textOf(context: ScenarioContext, text: WalkText): string | undefined {
  return text === "plain" ? undefined : textFor(context, text);
}

/** The message with a change after it was signed. */
function tamperWith(context: ScenarioContext, message: JsonObject): JsonObject {
  const payload = message.payload as JsonObject;
  const isSaid = "message" in payload;
  const id = freshId(context, "key");
  return isSaid
    ? { ...message, payload: { ...payload, idempotencyKey: id } }
    : { ...message, timestamp: Number(message.timestamp) + 1 };
}

/** A repetition of an accepted message: unchanged, or with its id and another content. */
export function repeatLetter(
  context: ScenarioContext,
  first: TakenMessage,
  how: "replay" | "reuse",
  way: WalkMessage["way"],
): WalkMessage {
  const { message, text, of } = first;
  const { sig: _, ...rest } = message;
  const isSaid = message.method === "message/send" || message.method === "message/stream";
  const payload = isSaid ? { ...(message.payload as JsonObject), ...messageOf(context) } : message.payload;
  const other = signedBy(a, {
    ...rest,
    payload: payload ?? {},
    timestamp: Number(message.timestamp) + 1,
  } as JsonObject);
  return { message: how === "replay" ? message : other, way, text, of, first };
}
