import type { Protocol, SigningKey } from "../../schemas/index.ts";
import type { ScenarioFinding } from "../scenarios/scenario.ts";
import type { AgentSetting } from "./setting.ts";

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
export interface AgentScene {
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
  begin(story: string, scene: AgentScene): { findings: readonly ScenarioFinding[]; story: () => Promise<void> };
  /** Serves the reference agent on a loopback port. Throws a usage error for a variant that there is not. */
  serve(
    key: SigningKey,
    options: { variant?: string; port?: number },
  ): Promise<{ setting: AgentSetting; close(): Promise<void> }>;
}
