import type { HookConfig, JsonObject } from "../../schemas/index.ts";
import type { Hook } from "../scenarios/setting.ts";

/** What the suite signs with when it plays the hub; a private key is the seed of RFC 8032, in hex. */
export type SigningKey = { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; seed: string };

/** An agent that outcomes are pushed to. */
export interface AgentSetting {
  /** Its callback, as it told a hub: what is signed is this very text. */
  url: string;
  key: SigningKey;
  /** Whom outcomes are for (absent: `touchstone-agent`). */
  agent?: string;
  hooks?: {
    /** Tells the agent that it waits for the outcome of a message: `id`, `message`. */
    expect?: Hook | HookConfig;
    /** What it has acted on since it was started: `{ actions: [{ in_reply_to, resolution_id, … }] }`. */
    acted?: Hook | HookConfig;
  };
  /** Factor on time limits. */
  timeScale?: number;
}

/** One thing that an agent did. */
export interface Action extends JsonObject {
  in_reply_to: string;
  resolution_id: string;
}
