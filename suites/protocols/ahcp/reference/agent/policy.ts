import { isObject, type JsonObject } from "../../../../../schemas/index.ts";

type Signatures = typeof import("../../rules/signature.ts");

/** A push as an agent receives it. */
export interface Received {
  body: JsonObject;
  header: string | undefined;
  url: string;
  key: Parameters<Signatures["verify"]>[2]["key"];
  /** Seconds since 1970. */
  clock: number;
}

export type Refusal = NonNullable<ReturnType<Signatures["verify"]>>;

/** The points at which an agent decides. */
export interface AgentPolicy {
  verify(received: Received, signatures: Signatures): Refusal | undefined;
  /** Whether a signature is used up before it is verified. */
  usesUnverified: boolean;
  /** Under what a signature counts as used up; undefined for never. */
  nonce(header: string): string | undefined;
  /** Under what an outcome is known again; undefined for never. */
  sameness(body: JsonObject): string | undefined;
  isDefault(body: JsonObject): boolean;
  /** The message as it is submitted, and as it is sent again when nobody answered. */
  writes(message: JsonObject): JsonObject;
  repeats(message: JsonObject): JsonObject;
  /** Seconds that it waits when it is asked to wait so many. */
  waits(asked: number): number;
  /** Whether it looks how its message ended, and whether it acts on what it reads there. */
  reads: boolean;
  believesReads: boolean;
  /** Whether what it has done and seen outlasts its process. */
  isDurable: boolean;
  /** The state that goes along with a message; undefined for none. */
  seals(id: string): JsonObject | undefined;
  /** Whether the state that comes back is the agent's own. */
  opens(body: JsonObject): boolean;
}

/** Decides everything as the protocol says. */
export const right: AgentPolicy = {
  verify: ({ body, header, url, key, clock }, { verify }) => verify(body, header, { callbackUrl: url, key, clock }),
  usesUnverified: false,
  nonce: (header) => /jti=([^,\s]+)/.exec(header)?.[1],
  sameness: ({ in_reply_to: about = "", resolution_id: name = "" }) => JSON.stringify([about, name]),
  isDefault: ({ response }) => isObject(response) && response.actor === "system:default_on_expire",
  writes: (message) => message,
  repeats: (message) => message,
  waits: (asked) => asked,
  reads: true,
  believesReads: true,
  isDurable: true,
  seals: () => undefined,
  opens: () => true,
};
