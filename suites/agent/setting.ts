import type { HookConfig, JsonObject, SigningKey } from "../../schemas/index.ts";
import type { Hook } from "../scenarios/setting.ts";

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
