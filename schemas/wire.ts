import type { Json } from "./json.ts";

/** The protocol between the suite and a command: one JSON text per line, and one answer per message, in any order. */
export const wireVersion = 1;

/** The reason for a refusal. Every member is optional; the judge compares the given members. */
export interface Reason {
  /** JSON Pointer into the instance. */
  at?: string;
  keyword?: string;
  /** Absolute or relative location in the schema. */
  site?: string;
  rule?: string;
  code?: string | number;
  message?: string;
}

export interface HelloMessage {
  command: "hello";
  touchstone: typeof wireVersion;
  protocol: string;
  version: string;
  /** Every schema of the protocol, so that an adapter needs no files. */
  schemas: Json[];
}

export interface HelloAnswer {
  ready: true;
  name?: string;
  /** The capabilities that the command claims; vectors that need others are skipped. Absent: everything that can be sent, except YAML. */
  claims?: string[];
}

/** Contains exactly one of `data` (a value), `text` (JSON text, or YAML if `yaml` is set) and `base64` (bytes of a text). */
export interface CheckMessage {
  command: "check";
  seq: number;
  document: string;
  schema: string;
  data?: Json;
  text?: string;
  base64?: string;
  /** Set if the text is YAML. Sent only to a command that claims `yaml-text`. */
  yaml?: true;
}

export interface CheckAnswer {
  seq: number;
  valid?: boolean;
  errors?: Reason[];
  /** Remarks on an accepted instance. */
  warnings?: Reason[];
  /** The command cannot judge this message: it is skipped with this reason. */
  skipped?: string;
  /** The command failed on this message, with this error. */
  error?: string;
}

export interface StopMessage {
  command: "stop";
}
