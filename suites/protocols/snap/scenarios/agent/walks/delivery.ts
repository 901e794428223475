import { type Json, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../../schemas/index.ts";
import { openStream } from "../../../../../running/scenarios/way/event-stream.ts";
import { openSocket } from "../../../../../running/scenarios/way/websocket.ts";
import { ask, contentOf, type PartyAnswer, request } from "../../parties.ts";
import { answersTo, messageIn } from "../connect.ts";
import type { AgentModel, WalkMessage } from "./model.ts";

/** The result of a message. */
export interface DeliveryAnswer {
  answer: PartyAnswer;
  /** All received messages, in order. */
  messages: JsonObject[];
  /** The number of further requests that check whether other messages are answered. Up to this many more tasks may have been carried out. */
  besides: number;
  /** Whether the suite broke the stream of the answer, or the stream has not ended. */
  end: "whole" | "cut" | "open";
}

/** Delivers a message over its transport, and waits for the result. A stream about endless work is interrupted at its first event. */
export async function deliverLetter(
  context: ScenarioContext,
  model: AgentModel,
  letter: WalkMessage,
): Promise<DeliveryAnswer> {
  const { message, way, text } = letter;
  if (way === "socket") return overSocket(context, model, message);
  if (message.method === "message/stream") return overStream(context, model, message, text === "working");
  const told = await ask(context, model.peer, message);
  return { answer: told, messages: told.message === undefined ? [] : [told.message], besides: 0, end: "whole" };
}

async function overSocket(context: ScenarioContext, model: AgentModel, message: JsonObject): Promise<DeliveryAnswer> {
  model.socket ??= await openSocket(context, model.websocket ?? "");
  const messages = await answersTo(context, model.socket, message);
  const last = contentOf(messages.at(-1));
  if (messages.length === 0) {
    model.socket = undefined;
    throw new TargetFailure("errored", "read", "its WebSocket ended instead of an answer");
  }
  return { answer: last, messages, besides: 0, end: "whole" };
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
  let isFenced = false;
  const answerWithEnd = (end: DeliveryAnswer["end"]): DeliveryAnswer => {
    stream.cut();
    const last = contentOf(messages.at(-1) as Json | undefined);
    return {
      answer: { ...last, ...(stream.status >= 400 ? { isRefused: true } : {}) },
      messages,
      besides: isFenced ? 1 : 0,
      end,
    };
  };
  for (;;) {
    const next = await stream.next(isFenced ? 500 : model.patienceMs);
    if (next === "end") return answerWithEnd("whole");
    if (next === "silence") {
      // If other messages are answered, a missing answer is not on its way.
      if (isFenced) return answerWithEnd("open");
      await ask(context, model.peer, await request(context, model.peer, "tasks/get", { taskId: "touchstone-none" }));
      isFenced = true;
      continue;
    }
    const item = messageIn(next.item.data);
    if (item !== undefined) messages.push(item);
    if (isEndless && item?.type === "event") return answerWithEnd("cut");
  }
}
