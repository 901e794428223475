import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { a, keyC } from "../../../rules/keys.ts";
import { signedBy } from "../../../rules/messages.ts";
import { breakSeal, freshId, type MemberChanges, messageOf, requestWith, seconds, textFor } from "../../parties.ts";
import type { AcceptedMessage, AgentModel, WalkedTask, WalkMessage } from "./model.ts";
import type { AgentStep, MessageFault, WalkText } from "./step.ts";

/** A step that makes a message. */
export type MessageStep = Exclude<AgentStep, { do: "deliver" | "wait" | "replay" | "reuse" }>;

const methods = {
  send: "message/send",
  continue: "message/send",
  stream: "message/stream",
  get: "tasks/get",
  cancel: "tasks/cancel",
} as const;

/** The difference of the timestamp of such a message from now, in seconds. */
const clockOffsets: Partial<Record<MessageFault, number>> = { old: -180, early: 180, ahead: 50 };

/** Makes the message of a step. */
export async function letterFor(context: ScenarioContext, model: AgentModel, step: MessageStep): Promise<WalkMessage> {
  const { bent: fault, way = "http" } = step;
  const { peer, tasks } = model;
  const of = "of" in step ? step.of : undefined;
  const text = "text" in step ? step.text : undefined;
  const by = fault === undefined ? undefined : clockOffsets[fault];
  const members: MemberChanges = by === undefined ? {} : { timestamp: (await seconds(context)) + by };
  const to = fault === "misaddressed" ? { ...peer, identity: keyC.address[peer.network] } : peer;
  const signedRequest = await requestWith(context, to, {
    method: methods[step.do],
    payload: payloadOf(context, step, tasks),
    more: members,
  });
  const message =
    fault === "forged"
      ? breakSeal(signedRequest)
      : fault === "tampered"
        ? tamperWith(context, signedRequest)
        : signedRequest;
  return { message, way, bent: fault, text, of };
}

function payloadOf(context: ScenarioContext, step: MessageStep, tasks: readonly WalkedTask[]): JsonObject {
  if ("text" in step) return messageOf(context, textOf(context, step.text));
  const namedTask = { taskId: tasks[step.of]?.id ?? "none" };
  return step.do === "continue" ? { ...namedTask, ...messageOf(context) } : namedTask;
}

function textOf(context: ScenarioContext, text: WalkText): string | undefined {
  return text === "plain" ? undefined : textFor(context, text);
}

/** The message with a change after it was signed. */
function tamperWith(context: ScenarioContext, message: JsonObject): JsonObject {
  const payload = message.payload as JsonObject;
  const hasMessage = "message" in payload;
  const id = freshId(context, "key");
  return hasMessage
    ? { ...message, payload: { ...payload, idempotencyKey: id } }
    : { ...message, timestamp: Number(message.timestamp) + 1 };
}

/** A repetition of an accepted message: unchanged, or with its id and another content. */
export function repeatLetter(
  context: ScenarioContext,
  first: AcceptedMessage,
  kind: "replay" | "reuse",
  way: WalkMessage["way"],
): WalkMessage {
  const { message, text, of } = first;
  const { sig: _, ...unsigned } = message;
  const hasMessage = message.method === "message/send" || message.method === "message/stream";
  const payload = hasMessage ? { ...(message.payload as JsonObject), ...messageOf(context) } : message.payload;
  const changedMessage = signedBy(a, {
    ...unsigned,
    payload: payload ?? {},
    timestamp: Number(message.timestamp) + 1,
  } as JsonObject);
  return { message: kind === "replay" ? message : changedMessage, way, text, of, first };
}
