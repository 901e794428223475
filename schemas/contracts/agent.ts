import type { HookConfig, SigningKey } from "../config.ts";
import type { JsonObject } from "../json.ts";
import type { Protocol } from "../protocol.ts";
import type { ScenarioFinding } from "./scenario.ts";
import type { Hook } from "./setting.ts";

/** An agent that receives pushed outcomes. */
export interface AgentSetting {
  /** Its callback URL, as registered with the hub: exactly this string is signed. */
  url: string;
  key: SigningKey;
  /** The agent that outcomes are for (absent: `touchstone-agent`). */
  agent?: string;
  hooks?: {
    /** Tells the agent to expect the outcome of a message (`id`, `agent`). The agent may answer with the `{ state }` that it sent with the message. */
    expect?: Hook | HookConfig;
    /** Returns the agent's actions since its start: `{ actions: [{ in_reply_to, resolution_id, … }] }`. */
    acted?: Hook | HookConfig;
    /** Makes the agent submit an ask or a task to the hub with the base address `hub`, and await its outcome. Parameters: `hub`, `agent`. */
    submit?: Hook | HookConfig;
    /** Restarts the agent's process with its stored state, and answers once it runs. */
    restart?: Hook | HookConfig;
  };
  /** Factor on time limits. */
  timeScale?: number;
}

/** An action of an agent. */
export interface Action extends JsonObject {
  in_reply_to: string;
  resolution_id: string;
}

/** The facts about a story with an agent that are known before it is played. */
export interface AgentStory {
  name: string;
  /** Completes the sentence "this shows …". */
  says: string;
  /** Ids of the rules that its expectations are tied to. */
  rules: readonly string[];
  /** Milliseconds after which the suite stops the story. */
  withinMs: number;
}

/** Options of a story. */
export interface AgentContextOptions {
  protocol: Protocol;
  setting: AgentSetting;
  pool: import("undici").Pool;
  seed: number;
  name: string;
  signal: AbortSignal;
}

/** The side of a protocol with the suite as the hub, and an agent as the target. */
export interface AgentSide {
  scenarios: readonly AgentStory[];
  /** Prepares a story: returns its findings, and a function that plays it. Throws for an unknown story. */
  begin(
    story: string,
    options: AgentContextOptions,
  ): { findings: readonly ScenarioFinding[]; story: () => Promise<void> };
  /** Serves the reference agent on a loopback port. Throws a usage error for an unknown variant. */
  serve(
    key: SigningKey,
    options: { variant?: string; port?: number },
  ): Promise<{ setting: AgentSetting; close(): Promise<void> }>;
}
