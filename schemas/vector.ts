import type { Operation } from "rfc6902";
import type { Json } from "./json.ts";
import type { Level } from "./rule.ts";

/** The expected verdict of a vector. A `disputed` vector is recorded and never fails a target. */
export type Verdict = "valid" | "invalid" | "disputed";

/** The files of one document's folder, in the order of writing and running. */
export const vectorKinds = ["valid", "invalid", "semantic", "disputed", "raw"] as const;
export type VectorKind = (typeof vectorKinds)[number];

/** One side of a dispute: the readers of the specification who consider the instance valid, or invalid. */
export interface Reading {
  verdict: "valid" | "invalid";
  /** Its names in `readings` and `contradictions` of the profile; absent in sets of users' schemas, and before version 1.3.0. */
  ids?: string[];
  by: string[];
  why?: string;
  /** For validators that refuse: the assertion at which they do. Without it, all validators agree. */
  site?: string;
}

/** A JSON Patch operation (RFC 6902). */
export type Change = Operation;

/** One instance, or raw text, with its expected verdict, the reason, and its origin. */
export interface Vector {
  /** A stable name: `PROTOCOL/VERSION/DOCUMENT/KIND/…`. */
  id: string;
  description: string;
  /** Absent when disputed. */
  valid?: boolean;
  readings?: Reading[];
  /** The instance; otherwise `raw` (JSON text) or `base64` (bytes of the text). */
  data?: Json;
  raw?: string;
  base64?: string;
  /** The rule that an invalid vector breaks, or that a valid one exercises. */
  rule?: string;
  /** Present only if a failure is less serious than MUST. */
  level?: Level;
  /** For a valid vector: rules of any level that it breaks, so that a refusal is not a fault. */
  beyond?: string[];
  /** For an invalid vector: further rules of any level that it breaks. An implementation that enforces only those refuses it too. */
  alsoBreaks?: string[];
  /** Absolute location of the assertion: `SCHEMA_ID#/json/pointer`. */
  site?: string;
  /** JSON Pointer into the instance: the fault, or the exercised location. */
  at?: string;
  /**
   * For an invalid vector: other members that a refusal may name. Changing one of them alone repairs a semantic rule, or breaks it in the parent,
   * or a validator also refuses the vector because of it.
   */
  involves?: string[];
  /** Name of the fault family member, such as `missing` or `above-maximum`. */
  fault?: string;
  /** Id of the valid vector from which this one was made, and the patch that leads from it to this one; no patch leads to a text. */
  parent?: string;
  change?: Change[];
  /** Capabilities that a target must claim for this vector to count. */
  needs: string[];
  /** The `format` that decides its verdict, or several if they decide together or each alone. */
  format?: string | string[];
  tags: string[];
}

/** The parts of a vector that decide how it counts: vectors with equal outlines count alike. Only family tags are included. */
export type VectorOutline = Pick<Vector, "valid" | "readings" | "rule" | "beyond" | "fault" | "tags">;

export interface VectorFile {
  $schema: string;
  description: string;
  protocol: string;
  version: string;
  document: string;
  /** `$id` of the entry schema and the digest of its canonical text together with everything it refers to. */
  schema: string;
  schemaDigest: string;
  generator: { name: string; version: string; seed: number };
  count: number;
  tests: Vector[];
}

/** Capabilities that a vector may need; a target with claims does not receive vectors that need other capabilities. */
export const capabilities = {
  "format-assertion": "asserts the `format` keyword",
  "raw-text": "receives the JSON text itself, not a parsed value",
  "yaml-text": "reads YAML text, of a protocol that is written in YAML",
  "big-numbers": "keeps integers beyond 2^53 apart",
  semantic: "checks the semantic rules",
  lint: "checks the rules for those who write or run a document, not only those for its reader",
  records: "judges what several documents say together, in the formats of this suite",
} as const;
export type Capability = keyof typeof capabilities;

/** Families of vectors, across faults and verdicts. Each vector of a family has the family's name as a tag. */
export const vectorFamilies = {
  "cross-type": "members, or the whole body, of another kind of message",
  timeout: "members that bound time or use: timeouts, deadlines, rates, budgets",
  "known-mistake": "mistakes that messages of the protocol are known to have",
  token: "reply tokens and their like: ids that are referred to, keys against repetition, signatures",
} as const;
export type VectorFamily = keyof typeof vectorFamilies;

export function verdictOf(vector: Pick<Vector, "valid">): Verdict {
  if (vector.valid === undefined) return "disputed";
  return vector.valid ? "valid" : "invalid";
}

/** The file of a set that contains a vector, by the first parts of its id; undefined for scenarios. */
export function vectorPath(id: string): string | undefined {
  const [protocol, version, document, kind, name] = id.split("/");
  if (name === undefined || document === "scenarios") return undefined;
  return `${[protocol, version, document, kind].join("/")}.json`;
}
