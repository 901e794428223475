import { type Json, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../../schemas/index.ts";
import { openStream } from "../../../../../running/scenarios/way/event-stream.ts";
import { openSocket } from "../../../../../running/scenarios/way/websocket.ts";
import { ask, contentOf, type PartyAnswer, request } from "../../parties.ts";
import { answersTo, messageIn } from "../connect.ts";
import type { AgentModel, WalkMessage } from "./model.ts";

/** The result of a delivered message. */
export interface DeliveryAnswer {
  answer: PartyAnswer;
  /** All received messages, in order. */
  messages: JsonObject[];
  /** How many further requests checked whether the agent still answers. It may have carried out up to this many more methods. */
  extraRequests: number;
  /** `cut` if the suite broke the stream, and `open` if the stream did not end. */
  end: "whole" | "cut" | "open";
}

/** Delivers a message over its transport, and waits for the result. A stream of endless work is cut at its first event. */
export async function deliverMessage(
  context: ScenarioContext,
  model: AgentModel,
  walkMessage: WalkMessage,
): Promise<DeliveryAnswer> {
  const { message, transport, text } = walkMessage;
  if (transport === "socket") return overSocket(context, model, message);
  if (message.method === "message/stream") return overStream(context, model, message, text === "working");
  const answer = await ask(context, model.peer, message);
  return { answer, messages: answer.message === undefined ? [] : [answer.message], extraRequests: 0, end: "whole" };
}

async function overSocket(context: ScenarioContext, model: AgentModel, message: JsonObject): Promise<DeliveryAnswer> {
  model.socket ??= await openSocket(context, model.websocket ?? "");
  const messages = await answersTo(context, model.socket, message);
  const last = contentOf(messages.at(-1));
  if (messages.length === 0) {
    model.socket = undefined;
    throw new TargetFailure("errored", "read", "its WebSocket ended instead of an answer");
  }
  return { answer: last, messages, extraRequests: 0, end: "whole" };
}

async function overStream(
  context: ScenarioContext,
  model: AgentModel,
  message: JsonObject,
  isEndless: boolean,
): Promise<DeliveryAnswer> {
  const headers = { "content-type": "application/json", "snap-version": "0.1", accept: "text/event-stream" };
  const stream = await openStream(context, { path: model.peer.path, body: JSON.stringify(message), headers });
  const messages: JsonObject[] = [];
  let hasProbed = false;
  const finishWith = (end: DeliveryAnswer["end"]): DeliveryAnswer => {
    stream.cut();
    const last = contentOf(messages.at(-1) as Json | undefined);
    return {
      answer: { ...last, ...(stream.status >= 400 ? { isRefused: true } : {}) },
      messages,
      extraRequests: hasProbed ? 1 : 0,
      end,
    };
  };
  for (;;) {
    const streamEvent = await stream.next(hasProbed ? 500 : model.patienceMs);
    if (streamEvent === "end") return finishWith("whole");
    if (streamEvent === "silence") {
      // If the agent has answered another message since, no answer is coming.
      if (hasProbed) return finishWith("open");
      await ask(context, model.peer, await request(context, model.peer, "tasks/get", { taskId: "touchstone-none" }));
      hasProbed = true;
      continue;
    }
    const item = messageIn(streamEvent.item.data);
    if (item !== undefined) messages.push(item);
    if (isEndless && item?.type === "event") return finishWith("cut");
  }
}
