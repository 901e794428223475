import type { Json, JsonObject } from "../json.ts";
import type { Dependence, ValueConditions } from "../value-conditions.ts";

/** Conditions on an answer. */
export interface Expectation extends ValueConditions {
  /** Absent: a precondition of the story; nothing is judged without it. */
  rule?: string;
  why?: string;
  status?: number[];
  /** The document with the schema and rules for the answer, and a JSON Pointer to it (absent: the whole answer). */
  valid?: string;
  at?: string;
  /** Patterns by name. */
  headers?: Record<string, string>;
}

/** Answers that end the story; rules without a verdict by then are skipped. */
export type Ending = Omit<Expectation, "rule" | "why"> & { why: string };

/** The part of an answer to keep: the value at a JSON Pointer, or a header. */
export type KeptPart = string | { header: string };

/** One step: exactly one of `send`, `hook`, `pass`, `next`, `end`, `receive`, `arrival`, `start`, `tell`, `close` and `each`. */
export interface StepEntry {
  /** Values by their names: the steps are played with each, or with each combination. */
  each?: Record<string, Json[]>;
  steps?: StepEntry[];
  /** Checked before the expectations. */
  unless?: Ending;
  send?: {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    body?: Json;
    /** The bytes of the body, in base64: a text can be no invalid UTF-8. */
    base64?: string;
    as?: "a" | "b" | "nobody";
  };
  hook?: string;
  with?: JsonObject;
  /** Milliseconds by the target's clock. */
  pass?: number;
  /** The name of the stream that answers `send`. */
  stream?: string;
  /** The name of the WebSocket that `send` asks for. */
  socket?: string;
  /** The name of a command, which is that of the run, to start it. */
  start?: string;
  /** The name of a socket or a command, and a message to it: a text as it is. */
  tell?: string;
  message?: Json;
  /** The name of a socket or a command, to end the own side, and the code of a socket. */
  close?: string;
  code?: number;
  /** The name of a stream, to read its next item, and conditions on items; others are skipped. */
  next?: string;
  /** How many items are read, as a list. */
  count?: number;
  until?: Pick<Expectation, "equal" | "differs" | "matches" | "present" | "absent" | "includes" | "headers">;
  /** The name of a stream that is read to its end. */
  end?: string;
  /** The name of an address for requests of the target, and the statuses with which it answers in turn. */
  receive?: string;
  answers?: number[];
  /** The name of an address, to read its next request. */
  arrival?: string;
  /** Milliseconds to wait for an item, an end or a request. */
  withinMs?: number;
  /** By the names under which it is kept. */
  save?: Record<string, KeptPart>;
  /** Texts of the answer that hold JSON, by their JSON Pointers. */
  decode?: Record<string, "json" | "base64" | "base64url">;
  expect?: Expectation[];
}

/** A scenario as a file may have it. */
export interface ScenarioEntry extends Dependence {
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
