import type { Json } from "./json.ts";

/** Makes one member of an instance fresh before it is sent to a live server. */
export interface Freshness {
  /** JSON Pointer into the instance, or into the carrier when `in` says so. */
  at: string;
  /**
   * `uuid` v4 · `date-time` RFC 3339 UTC · `unix-time` seconds · `token` prefix and random alphanumerics · `signature` by the sender's
   * test key, last of all.
   */
  make: "uuid" | "date-time" | "unix-time" | "token" | "signature";
  prefix?: string;
  /** Seconds added to now, for the two kinds of time. */
  offset?: number;
  in?: "carrier";
  /** Code with which a server refuses a value that it knows from an earlier request. */
  clash?: string;
}

/** A condition on an HTTP answer: every part that is given must hold. Pointers look into the JSON body. */
export interface AnswerCondition {
  status: number[];
  present?: string;
  absent?: string;
}

/** Where a document is sent. `accepted` and `rejected` are statuses that replace the profile's conditions. */
export interface Endpoint {
  method: "POST" | "PUT";
  path: string;
  accepted?: number[];
  rejected?: number[];
}

/** One kind of message or document of a protocol, with its entry schema. */
export interface Document {
  name: string;
  title: string;
  /** `$id` of the entry schema. */
  schema: string;
  /** Schema file, relative to the profile. */
  file: string;
  /** Whether vectors are derived from its schema; not for a file of definitions that asserts nothing at its root, nor for records. */
  standalone: boolean;
  /**
   * `entry`: an implementation receives it · `emitted`: it sends it · `part`: only inside another document · `record`: several documents, or
   * a document with its circumstances, which rules beyond the schemas judge together · `trace`: a sequence of messages, judged likewise.
   */
  role: "entry" | "emitted" | "part" | "record" | "trace";
  /** Member values that select this document among the protocol's. */
  when?: Record<string, Json[]>;
  endpoint?: Endpoint;
  /** A complete carrier and where in it the document travels. */
  wrap?: { at: string; in: Json };
  fresh?: Freshness[];
  /** Realistic valid instances: the taste of generated values. */
  samples?: Json[];
}

/** A step of a validation in several steps: one schema, or one chosen by the values of members. */
export interface Step {
  at: string;
  schema?: string;
  by?: string[];
  schemas?: Record<string, string>;
}

/** A protocol's roles as data. */
export interface Profile {
  $schema: string;
  protocol: string;
  version: string;
  title: string;
  summary: string;
  /** `annotate`: an implementation that ignores `format` is correct. */
  formats: "assert" | "annotate";
  discriminator?: string;
  documents: Document[];
  http: {
    headers?: Record<string, string>;
    accepted: AnswerCondition[];
    rejected: AnswerCondition[];
    /** JSON Pointers into the body of a refusal; `codes` are those that a refused document may carry. */
    reason?: { code?: string; message?: string; at?: string; codes?: (string | number)[] };
  };
  errors?: { code: string | number; status?: number; meaning: string }[];
  steps?: Step[];
}
