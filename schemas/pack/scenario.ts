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
  /** The document whose schema and rules the answer keeps, and a JSON Pointer to it (absent: the whole answer). */
  valid?: string;
  at?: string;
  /** Patterns by name. */
  headers?: Record<string, string>;
}

/** Answers that end the story; rules without a verdict by then are skipped. */
export type Ending = Omit<Expectation, "rule" | "why"> & { why: string };

/** What of an answer is kept: what is at a JSON Pointer, or a header. */
export type Kept = string | { header: string };

/** One step: exactly one of `send`, `hook`, `pass`, `next`, `end`, `receive`, `arrival` and `each`. */
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
  /** The name of the stream that answers `send`. */
  stream?: string;
  /** The name of a stream of which the next item is read, and what items have to be, or else are passed over. */
  next?: string;
  until?: Pick<Expectation, "equal" | "differs" | "matches" | "present" | "absent" | "headers">;
  /** The name of a stream that is read to its end. */
  end?: string;
  /** The name of an address for requests of the target, and the statuses with which it answers in turn. */
  receive?: string;
  answers?: number[];
  /** The name of an address of which the next request is read. */
  arrival?: string;
  /** Milliseconds in which an item, an end or a request comes. */
  withinMs?: number;
  /** By the names under which it is kept. */
  save?: Record<string, Kept>;
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
