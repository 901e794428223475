import type { JsonObject } from "../../../../../schemas/index.ts";
import { signedBy } from "../../rules/messages.ts";
import { signCheaply } from "../../rules/signature.ts";
import { type AnswerContext, nowMs, type RunningAgent } from "./agent.ts";
import { freshId } from "./tasks.ts";

/** Makes an unsigned message from the agent to the requester. */
export function answer({ agent, request }: AnswerContext, type: "event" | "response", payload: JsonObject): JsonObject {
  const { from, method } = request;
  return {
    id: freshId(type === "event" ? "evt" : "ans"),
    version: "0.1",
    from: agent.identity,
    ...(typeof from === "string" ? { to: from } : {}),
    type,
    method: typeof method === "string" ? method : "message/send",
    payload,
    timestamp: Math.floor(nowMs(agent) / 1000),
  };
}

/** Signs a message with the agent's key; a message that cannot be signed stays unchanged. */
export function signMessage({ key }: RunningAgent, message: JsonObject): JsonObject {
  try {
    return signedBy(key, message, signCheaply);
  } catch {
    return message;
  }
}
