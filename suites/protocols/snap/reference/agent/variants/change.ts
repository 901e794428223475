import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { About, AgentDecisions, RefusalCause, RunningAgent } from "../agent.ts";
import { rightAgentDecisions } from "../policy.ts";

/** Answers one cause with another code. */
export function codes(cause: RefusalCause, code: number): Partial<AgentDecisions> {
  return { code: (refusalCause) => (refusalCause === cause ? code : rightAgentDecisions.code(refusalCause)) };
}

/** Changes messages of one kind before they are signed. */
export function changeMessage(
  is: (message: JsonObject, about: About) => boolean,
  change: (message: JsonObject, about: About) => JsonObject | undefined,
): Partial<AgentDecisions> {
  return { editMessage: (message, about) => (is(message, about) ? change(message, about) : message) };
}

export const ofMethod =
  (method: string) =>
  ({ method: its, type }: JsonObject): boolean =>
    its === method && type === "response";

export function payloadOf({ payload }: JsonObject): JsonObject {
  return isObject(payload) ? payload : {};
}

export const isEnd = ({ type, method }: JsonObject, { fault }: About): boolean =>
  type === "response" && method === "message/stream" && fault === undefined;

/**
 * The current message and the deciding agent, for decisions that get neither. One pair for all agents of the process is enough:
 * `trackCurrent` sets it before each message, and no decision awaits anything.
 */
export const current: { message: JsonObject; agent?: RunningAgent } = { message: {} };

export const trackCurrent: Pick<AgentDecisions, "before"> = {
  before(message, agent) {
    Object.assign(current, { message, agent });
  },
};
