import type { HookConfig, SigningKey } from "../config.ts";
import type { JsonObject } from "../json.ts";
import type { Protocol } from "../protocol.ts";
import type { ScenarioFinding } from "./scenario.ts";
import type { Hook } from "./setting.ts";

/** An agent that outcomes are pushed to. */
export interface AgentSetting {
  /** Its callback, as it told a hub: what is signed is this very text. */
  url: string;
  key: SigningKey;
  /** Whom outcomes are for (absent: `touchstone-agent`). */
  agent?: string;
  hooks?: {
    /** Tells the agent that it waits for the outcome of a message: `id`, `agent`. It may answer with the `{ state }` that it sent along. */
    expect?: Hook | HookConfig;
    /** What it has acted on since it was started: `{ actions: [{ in_reply_to, resolution_id, … }] }`. */
    acted?: Hook | HookConfig;
    /** Has the agent submit an ask or a task, and see to its outcome, at the hub whose base address is `hub`: `hub`, `agent`. */
    submit?: Hook | HookConfig;
    /** Ends the agent's process and starts another, which knows what was stored; answered when it is up. */
    restart?: Hook | HookConfig;
  };
  /** Factor on time limits. */
  timeScale?: number;
}

/** One thing that an agent did. */
export interface Action extends JsonObject {
  in_reply_to: string;
  resolution_id: string;
}

/** What is known of a story with an agent before it is played. */
export interface AgentStory {
  name: string;
  /** Completes the sentence "this shows …". */
  says: string;
  /** Ids of the rules that its expectations are tied to. */
  rules: readonly string[];
  /** Milliseconds after which it is given up. */
  withinMs: number;
}

/** What a story is played with. */
export interface AgentContextOptions {
  protocol: Protocol;
  setting: AgentSetting;
  pool: import("undici").Pool;
  seed: number;
  name: string;
  signal: AbortSignal;
}

/** The side of a protocol where the suite is the hub, and an agent is what is tested. */
export interface AgentSide {
  scenarios: readonly AgentStory[];
  /** The findings that a story leaves, and the story itself, which begins when it is called. Throws for a story that there is not. */
  begin(
    story: string,
    options: AgentContextOptions,
  ): { findings: readonly ScenarioFinding[]; story: () => Promise<void> };
  /** Serves the reference agent on a loopback port. Throws a usage error for a variant that there is not. */
  serve(
    key: SigningKey,
    options: { variant?: string; port?: number },
  ): Promise<{ setting: AgentSetting; close(): Promise<void> }>;
}
