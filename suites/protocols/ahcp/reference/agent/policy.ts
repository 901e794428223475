import { createHmac } from "node:crypto";
import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";

/** The module that makes and verifies signatures. */
export type Signatures = typeof import("../../rules/signature.ts");

/** A push as the agent receives it. */
export interface ReceivedPush {
  body: JsonObject;
  header: string | undefined;
  url: string;
  key: Parameters<Signatures["verify"]>[2]["key"];
  /** Seconds since 1970. */
  clock: number;
}

export type PushRefusal = NonNullable<ReturnType<Signatures["verify"]>>;

/** The decisions of an agent. */
export interface AgentPolicy {
  verify(push: ReceivedPush, signatures: Signatures): PushRefusal | undefined;
  /** Whether an unverified push uses up its nonce. */
  usesUpUnverified: boolean;
  /** The nonce to remember; undefined to remember none. */
  nonceIn(header: string): string | undefined;
  /** How long a used nonce is remembered, in milliseconds: at least the window in both directions. */
  nonceLifetimeMs: number;
  /** A key that recognizes a repeated outcome; undefined to recognize none. */
  outcomeKey(body: JsonObject, channel: "pushed" | "read"): string | undefined;
  isDefault(body: JsonObject): boolean;
  /** The message to submit, and its repetition if no answer arrived. */
  writeMessage(message: JsonObject): JsonObject;
  repeatMessage(message: JsonObject): JsonObject;
  /** The seconds that the agent waits after a hub asked for this many. */
  secondsToWait(seconds: number): number;
  /** Whether the agent asks for a push: always (true), never (false), or on request (undefined). */
  asksForPush: boolean | undefined;
  /** Whether the agent reads the outcome of its message, and whether it acts on it. */
  readsOutcome: boolean;
  actsOnReads: boolean;
  /** Whether its actions and used nonces survive a restart. */
  isDurable: boolean;
  /** The state to send with an agent's message; undefined for none. */
  sealState(id: string, agent: string): JsonObject | undefined;
  /** Whether this agent sent the returned state. `agent` is undefined if the message was not announced. */
  acceptsState(body: JsonObject, agent: string | undefined): boolean;
}

/** A signature is valid this long before and after its time. */
const windowMs = 120_000;

/** The secret of the agent's seals. */
const sealKey = "the seal of an agent in a test";

/** The facts about a message that the agent needs when its outcome arrives, with a seal against forgery. */
function sealFacts(message: string, agent: string): JsonObject {
  const seal = createHmac("sha256", sealKey)
    .update(JSON.stringify([message, agent]))
    .digest("base64url");
  return { message, agent, seal };
}

/** The decisions that the protocol requires. */
export const correctAgentPolicy: AgentPolicy = {
  verify: ({ body, header, url, key, clock }, { verify }) => verify(body, header, { callbackUrl: url, key, clock }),
  usesUpUnverified: false,
  nonceLifetimeMs: 2 * windowMs,
  nonceIn: (header) => /jti=([^,\s]+)/.exec(header)?.[1],
  outcomeKey: ({ in_reply_to: messageId = "", resolution_id: resolutionId = "" }) =>
    JSON.stringify([messageId, resolutionId]),
  isDefault: ({ response }) => isObject(response) && response.actor === "system:default_on_expire",
  writeMessage: (message) => message,
  repeatMessage: (message) => message,
  secondsToWait: (seconds) => seconds,
  asksForPush: undefined,
  readsOutcome: true,
  actsOnReads: true,
  isDurable: true,
  sealState: sealFacts,
  acceptsState({ state }, agent) {
    // An unannounced message has no sealed facts.
    if (state === undefined) return agent === undefined;
    const isOwn = isObject(state) && equal(state, sealFacts(String(state.message), String(state.agent)));
    return isOwn && (agent === undefined || agent === state.agent);
  },
};
