import type { Json, JsonObject } from "../json.ts";

/** What must be seen in an answer. */
export interface Expectation {
  /** Absent: what the story needs, so that nothing is judged without it. */
  rule?: string;
  why?: string;
  status?: number[];
  /** By JSON Pointers into the answer. */
  equal?: JsonObject;
  differs?: JsonObject;
  matches?: Record<string, string>;
  present?: string[];
  absent?: string[];
  /** The document whose schema and rules the answer keeps. */
  valid?: string;
}

/** Answers that end the story; rules without a verdict by then are skipped. */
export type Ending = Omit<Expectation, "rule" | "why"> & { why: string };

/** One step: exactly one of `send`, `hook`, `pass` and `each`. */
export interface StepEntry {
  /** Values by their names: the steps are taken with each, or with each combination. */
  each?: Record<string, Json[]>;
  steps?: StepEntry[];
  /** Checked before the expectations. */
  unless?: Ending;
  send?: {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    body?: Json;
    as?: "a" | "b" | "nobody";
  };
  hook?: string;
  with?: JsonObject;
  /** Milliseconds by the target's clock. */
  pass?: number;
  /** JSON Pointers into the answer, by the names under which what is there is kept. */
  save?: Record<string, string>;
  expect?: Expectation[];
}

/** A scenario as a file may have it. */
export interface ScenarioEntry {
  name: string;
  says: string;
  side?: string;
  needs?: string[];
  withinMs?: number;
  steps: StepEntry[];
}

/** The scenarios of a pack as a file may have them. */
export interface ScenarioFile {
  $schema?: string;
  scenarios: ScenarioEntry[];
}
