import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { keyA, keyC } from "../../../rules/keys.ts";
import { signedBy } from "../../../rules/messages.ts";
import {
  breakSeal,
  freshId,
  type MemberChanges,
  messageOf,
  nowInSeconds,
  requestWith,
  textFor,
} from "../../parties.ts";
import type { AcceptedMessage, AgentModel, WalkedTask, WalkMessage } from "./model.ts";
import type { AgentStep, MessageFault, WalkText } from "./step.ts";

/** A step that creates a new message. */
export type MessageStep = Exclude<AgentStep, { do: "deliver" | "wait" | "replay" | "reuse" }>;

const methods = {
  send: "message/send",
  continue: "message/send",
  stream: "message/stream",
  get: "tasks/get",
  cancel: "tasks/cancel",
} as const;

/** For each fault of time, how many seconds from now the message is stamped. */
const clockOffsets: Partial<Record<MessageFault, number>> = { old: -180, early: 180, ahead: 50 };

/** Creates the message of a step. */
export async function messageForStep(
  context: ScenarioContext,
  model: AgentModel,
  step: MessageStep,
): Promise<WalkMessage> {
  const { fault, transport = "http" } = step;
  const { peer, tasks } = model;
  const index = "index" in step ? step.index : undefined;
  const text = "text" in step ? step.text : undefined;
  const clockOffset = fault === undefined ? undefined : clockOffsets[fault];
  const changes: MemberChanges =
    clockOffset === undefined ? {} : { timestamp: (await nowInSeconds(context)) + clockOffset };
  const recipient = fault === "misaddressed" ? { ...peer, identity: keyC.address[peer.network] } : peer;
  const signedRequest = await requestWith(context, recipient, {
    method: methods[step.do],
    payload: payloadOf(context, step, tasks),
    more: changes,
  });
  let message = signedRequest;
  if (fault === "forged") message = breakSeal(signedRequest);
  if (fault === "tampered") message = tamperWith(context, signedRequest);
  return { message, transport, fault, text, index };
}

function payloadOf(context: ScenarioContext, step: MessageStep, tasks: readonly WalkedTask[]): JsonObject {
  if ("text" in step) return messageOf(context, textOf(context, step.text));
  const namedTask = { taskId: tasks[step.index]?.id ?? "none" };
  return step.do === "continue" ? { ...namedTask, ...messageOf(context) } : namedTask;
}

function textOf(context: ScenarioContext, text: WalkText): string | undefined {
  return text === "plain" ? undefined : textFor(context, text);
}

/** Changes a message without signing it again. */
function tamperWith(context: ScenarioContext, message: JsonObject): JsonObject {
  const payload = message.payload as JsonObject;
  const hasMessage = "message" in payload;
  const id = freshId(context, "key");
  return hasMessage
    ? { ...message, payload: { ...payload, idempotencyKey: id } }
    : { ...message, timestamp: Number(message.timestamp) + 1 };
}

/** Repeats an accepted message: unchanged, or with the same id and a different content. */
export function repeatMessage(
  context: ScenarioContext,
  original: AcceptedMessage,
  kind: "replay" | "reuse",
  transport: WalkMessage["transport"],
): WalkMessage {
  const { message, text, index } = original;
  const { sig: _, ...unsigned } = message;
  const hasMessage = message.method === "message/send" || message.method === "message/stream";
  const payload = hasMessage ? { ...(message.payload as JsonObject), ...messageOf(context) } : message.payload;
  const changedMessage = signedBy(keyA, {
    ...unsigned,
    payload: payload ?? {},
    timestamp: Number(message.timestamp) + 1,
  } as JsonObject);
  return { message: kind === "replay" ? message : changedMessage, transport, text, index, original };
}
