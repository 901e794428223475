import { type HookConfig, type JsonObject, type SigningKey, TouchstoneError } from "../../schemas/index.ts";
import type { Hook } from "../scenarios/setting.ts";

/** An agent that outcomes are pushed to. */
export interface AgentSetting {
  /** Its callback, as it told a hub: what is signed is this very text. */
  url: string;
  key: SigningKey;
  /** Whom outcomes are for (absent: `touchstone-agent`). */
  agent?: string;
  hooks?: {
    /** Tells the agent that it waits for the outcome of a message: `id`, `agent`. */
    expect?: Hook | HookConfig;
    /** What it has acted on since it was started: `{ actions: [{ in_reply_to, resolution_id, … }] }`. */
    acted?: Hook | HookConfig;
  };
  /** Factor on time limits. */
  timeScale?: number;
}

/** Throws a usage error for what nobody can sign with. */
export function mustBeKey(key: SigningKey): void {
  const { alg } = key;
  if (alg === "hmac-sha256" && typeof key.secret === "string" && key.secret !== "") return;
  if (alg === "ed25519" && /^[0-9a-f]{64}$/i.test(key.seed)) return;
  throw alg === "ed25519"
    ? new TouchstoneError("usage", "the seed of the Ed25519 key is not 32 bytes in hex", {
        hint: "give the 64 digits of RFC 8032's private key",
      })
    : new TouchstoneError("usage", "there is no key to sign with", {
        hint: 'give { alg: "hmac-sha256", secret } or { alg: "ed25519", seed }',
      });
}

/** One thing that an agent did. */
export interface Action extends JsonObject {
  in_reply_to: string;
  resolution_id: string;
}
