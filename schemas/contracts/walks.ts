import type { Protocol } from "../protocol.ts";
import type { Result } from "../report.ts";
import type { Setting } from "./setting.ts";

/** A walk on which a target deviated from the model, as short as possible. */
export interface Detour {
  rule: string;
  why: string;
  /** Each step as a string that `parse` reads. */
  steps: readonly string[];
  /** The number of the walk for this seed, and the path to its shortened form. */
  index: number;
  path: string;
}

export interface WalksRun {
  protocol: Protocol;
  setting: Setting;
  /** Decides steps and starts. */
  seed: number;
  /** Makes the keys and run ids differ from those of all other runs. */
  freshness: number;
  /** How many walks, and which is the first. */
  walks: number;
  first?: number | undefined;
  /** The steps of one given walk, instead of random walks. */
  steps?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  onResult?: (result: Result) => void;
}

/** Races and random walks along a model of a protocol's implementation. */
export interface Walks {
  /** Plays them against a live target; one result for each rule. */
  play(run: WalksRun): Promise<{ results: Result[]; detours: Detour[] }>;
  /** Splits a string into steps, separated by semicolons, each in its usual spelling. Throws a usage error for an unknown step. */
  parse(text: string): string[];
}
