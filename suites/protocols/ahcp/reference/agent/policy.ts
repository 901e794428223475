import { createHmac } from "node:crypto";
import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";

type Signatures = typeof import("../../rules/signature.ts");

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
  verify(received: ReceivedPush, signatures: Signatures): PushRefusal | undefined;
  /** Whether a signature counts as used before it is verified. */
  usesUnverified: boolean;
  /** The key of a used signature; undefined if it is never stored. */
  nonce(header: string): string | undefined;
  /** The milliseconds for which a used signature is remembered: at least the window in both directions. */
  remembers: number;
  /** The key that identifies an outcome on every channel; undefined if it is never recognized. */
  sameness(body: JsonObject, way: "pushed" | "read"): string | undefined;
  isDefault(body: JsonObject): boolean;
  /** The submitted message, both first and after a missing answer. */
  writes(message: JsonObject): JsonObject;
  repeats(message: JsonObject): JsonObject;
  /** The seconds that the agent waits if it was asked to wait for `asked` seconds. */
  waits(asked: number): number;
  /** Whether it asks for a push: always, never, or on request. */
  pushes: boolean | undefined;
  /** Whether it reads the outcome of its message, and whether it acts on it. */
  reads: boolean;
  believesReads: boolean;
  /** Whether its actions and used nonces survive its process. */
  isDurable: boolean;
  /** The state that accompanies a message of an agent; undefined for none. */
  seals(id: string, agent: string): JsonObject | undefined;
  /** Whether the returned state is the agent's own; the expected agent is not always known. */
  opens(body: JsonObject, agent: string | undefined): boolean;
}

/** The agent's secret during a test. */
const sealKey = "the seal of an agent in a test";

/** The agent's sealed facts about its message, which it needs for the outcome. */
function sealState(message: string, agent: string): JsonObject {
  const seal = createHmac("sha256", sealKey)
    .update(JSON.stringify([message, agent]))
    .digest("base64url");
  return { message, agent, seal };
}

/** The decisions that the protocol requires. */
export const rightAgentPolicy: AgentPolicy = {
  verify: ({ body, header, url, key, clock }, { verify }) => verify(body, header, { callbackUrl: url, key, clock }),
  usesUnverified: false,
  remembers: 2 * 120_000,
  nonce: (header) => /jti=([^,\s]+)/.exec(header)?.[1],
  sameness: ({ in_reply_to: about = "", resolution_id: name = "" }) => JSON.stringify([about, name]),
  isDefault: ({ response }) => isObject(response) && response.actor === "system:default_on_expire",
  writes: (message) => message,
  repeats: (message) => message,
  waits: (asked) => asked,
  pushes: undefined,
  reads: true,
  believesReads: true,
  isDurable: true,
  seals: sealState,
  opens({ state }, agent) {
    // An unannounced message has no sealed facts.
    if (state === undefined) return agent === undefined;
    const isOwn = isObject(state) && equal(state, sealState(String(state.message), String(state.agent)));
    return isOwn && (agent === undefined || agent === state.agent);
  },
};
