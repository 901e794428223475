import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { AgentDecisions, AnswerContext, RefusalCause, RunningAgent } from "../agent.ts";
import { rightAgentDecisions } from "../policy.ts";

/** Refuses a message for this cause with a wrong code. */
export function codes(cause: RefusalCause, code: number): Partial<AgentDecisions> {
  return { code: (refusalCause) => (refusalCause === cause ? code : rightAgentDecisions.code(refusalCause)) };
}

/** Changes the messages for which `isAffected` is true before they are signed. */
export function changeMessage(
  isAffected: (message: JsonObject, about: AnswerContext) => boolean,
  change: (message: JsonObject, about: AnswerContext) => JsonObject | undefined,
): Partial<AgentDecisions> {
  return { editMessage: (message, about) => (isAffected(message, about) ? change(message, about) : message) };
}

/** Returns a predicate for the responses of a method. */
export const ofMethod =
  (method: string) =>
  (message: JsonObject): boolean =>
    message.method === method && message.type === "response";

export function payloadOf({ payload }: JsonObject): JsonObject {
  return isObject(payload) ? payload : {};
}

/** Whether a message is the response that ends an accepted stream. */
export const isEnd = ({ type, method }: JsonObject, { fault }: AnswerContext): boolean =>
  type === "response" && method === "message/stream" && fault === undefined;

/**
 * The message and the agent of the current decision, for decisions without these parameters. A single pair for the process is enough:
 * `trackCurrent` sets it before each message, and decisions are synchronous.
 */
export const current: { message: JsonObject; agent?: RunningAgent } = { message: {} };

export const trackCurrent: Pick<AgentDecisions, "beforeChecks"> = {
  beforeChecks(message, agent) {
    Object.assign(current, { message, agent });
  },
};
