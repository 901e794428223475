import type { Json, JsonObject } from "../json.ts";
import type { Dependence, ValueConditions } from "../value-conditions.ts";

/** Conditions on an answer. */
export interface Expectation extends ValueConditions {
  /** The judged rule; absent for a precondition of the scenario. */
  rule?: string;
  why?: string;
  status?: number[];
  /** Name of the document that must be valid in the answer. `at` is the JSON Pointer to it (absent: the whole answer). */
  valid?: string;
  at?: string;
  /** Patterns by name. */
  headers?: Record<string, string>;
}

/** Answers that end the scenario. Rules without a verdict by then are skipped. */
export type Ending = Omit<Expectation, "rule" | "why"> & { why: string };

/** The part of an answer to save: the value at a JSON Pointer, or a header. */
export type KeptPart = string | { header: string };

/** One step: exactly one of `send`, `hook`, `pass`, `next`, `end`, `receive`, `arrival`, `start`, `tell`, `close` and `each`. */
export interface StepEntry {
  /** Values by name. The inner `steps` are played once for each combination of values. */
  each?: Record<string, Json[]>;
  steps?: StepEntry[];
  /** Checked before the expectations. */
  unless?: Ending;
  send?: {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    body?: Json;
    /** The bytes of the body, in base64, since a text cannot contain invalid UTF-8. */
    base64?: string;
    as?: "a" | "b" | "nobody";
  };
  hook?: string;
  with?: JsonObject;
  /** Milliseconds by the target's clock. */
  pass?: number;
  /** The name of the stream that answers `send`. */
  stream?: string;
  /** The name of the WebSocket that `send` requests. */
  socket?: string;
  /** The name under which to start the command of the run. */
  start?: string;
  /** The name of a socket or a command, and a message to send to it; a string is sent literally. */
  tell?: string;
  message?: Json;
  /** The name of a socket or a command to close from the suite's side, and the close code of a socket. */
  close?: string;
  code?: number;
  /** The name of a stream from which to read the next item that meets the conditions; other items are skipped. */
  next?: string;
  /** The number of items to read, as a list. */
  count?: number;
  until?: Pick<Expectation, "equal" | "differs" | "matches" | "present" | "absent" | "includes" | "headers">;
  /** The name of a stream to read to its end. */
  end?: string;
  /** The name of an address for requests of the target, and the statuses with which it answers in turn. */
  receive?: string;
  answers?: number[];
  /** The name of an address, to read its next request. */
  arrival?: string;
  /** Milliseconds to wait for an item, an end or a request. */
  withinMs?: number;
  /** The parts of the answer to save, by the names under which steps can use them. */
  save?: Record<string, KeptPart>;
  /** Encoded strings in the answer to decode, by their JSON Pointers. */
  decode?: Record<string, "json" | "base64" | "base64url">;
  expect?: Expectation[];
}

/** A scenario as written in a file. */
export interface ScenarioEntry extends Dependence {
  name: string;
  says: string;
  side?: string;
  needs?: string[];
  withinMs?: number;
  steps: StepEntry[];
}

/** The scenarios of a pack as written in a file. */
export interface ScenarioFile {
  $schema?: string;
  scenarios: ScenarioEntry[];
}
