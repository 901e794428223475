import type { Protocol } from "../protocol.ts";
import type { Result } from "../report.ts";
import type { Setting } from "./setting.ts";

/** A walk on which a target deviated from the model, as short as possible. */
export interface Detour {
  rule: string;
  why: string;
  /** Each step as a text that `stepsFrom` reads. */
  steps: readonly string[];
  /** Which walk of the seed it was, and the way from there to the short one. */
  index: number;
  path: string;
}

export interface WalksRun {
  protocol: Protocol;
  setting: Setting;
  /** Decides steps and starts. */
  seed: number;
  /** Makes keys and runs differ from those of every other run. */
  freshness: number;
  /** How many walks, and which is the first. */
  walks: number;
  first?: number | undefined;
  /** A walk that is written down, as texts of its steps, instead of random ones. */
  steps?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  onResult?: (result: Result) => void;
}

/** Races and random walks along a model of a protocol's implementation. */
export interface Walks {
  /** Plays them against a live target; one result for each rule. */
  play(run: WalksRun): Promise<{ results: Result[]; detours: Detour[] }>;
  /** The steps that a text with semicolons between them means, each in its own spelling. Throws a usage error for a step that there is not. */
  parse(text: string): string[];
}
