import { createHash } from "node:crypto";
import type { Report } from "../../../schemas/index.ts";
import type { Score } from "./score.ts";

/** A resource as in-toto describes it: a name, and a SHA-256 in hex. */
export interface Descriptor {
  name: string;
  digest: { sha256: string };
  /** For a file of the bundle, the SHA-256 of its compressed bytes. It protects the bits of gzip that do not affect the unpacked content. */
  annotations?: { packed: string };
}

/** The subject of a certificate. */
export interface CertifiedImplementation {
  name: string;
  release: string;
  /** The claims of the implementation, by protocol; absent if it has none. */
  claims?: Record<string, string[]>;
}

/** A part of a protocol that the certificate does not cover, and why. */
export interface NotChecked {
  protocol: string;
  version: string;
  profile: string;
  results: number;
  why: string;
}

/** The members of a statement that in-toto does not define. */
export interface Details {
  tool: Report["tool"];
  /** When the run started (RFC 3339). */
  started: string;
  implementation: CertifiedImplementation;
  scores: Omit<Score, "missing" | "failed">[];
  notChecked: NotChecked[];
}

/** An in-toto statement (v1) with a test result (v0.1). */
export interface Statement {
  _type: typeof statementType;
  subject: Descriptor[];
  predicateType: typeof predicateType;
  predicate: {
    result: Score["result"];
    configuration: Descriptor[];
    passedTests: string[];
    warnedTests: string[];
    failedTests: string[];
    touchstone: Details;
  };
}

export const statementType = "https://in-toto.io/Statement/v1";
export const predicateType = "https://in-toto.io/attestation/test-result/v0.1";

/** Creates the statement of a certificate. `materials` are the included files; `subject` is the artifact, or the report if there is no artifact. */
export function createStatement(
  scores: readonly Score[],
  details: Omit<Details, "scores">,
  materials: readonly Descriptor[],
  subject: Descriptor,
): Statement {
  const namesOf = (result: Score["result"]): string[] =>
    scores.filter((score) => score.result === result).map(testName);
  const [passedNames, warnedNames, failedNames] = [namesOf("PASSED"), namesOf("WARNED"), namesOf("FAILED")];
  return {
    _type: statementType,
    subject: [subject],
    predicateType,
    predicate: {
      result: failedNames.length > 0 ? "FAILED" : warnedNames.length > 0 ? "WARNED" : "PASSED",
      configuration: [...materials],
      passedTests: passedNames,
      warnedTests: warnedNames,
      failedTests: failedNames,
      touchstone: { ...details, scores: scores.map(({ missing: _, failed: __, ...score }) => score) },
    },
  };
}

/** The name of a profile in a statement: `PROTOCOL VERSION PROFILE@N`. */
export function testName({ protocol, version, profile }: Pick<Score, "protocol" | "version" | "profile">): string {
  return `${protocol} ${version} ${profile}`;
}

export function describeBytes(name: string, bytes: Uint8Array | string): Descriptor {
  return { name, digest: { sha256: sha256(bytes) } };
}

/** Describes a file of the bundle; `data` is its compressed content in base64. */
export function describePacked(name: string, bytes: Uint8Array | string, data: string): Descriptor {
  return { ...describeBytes(name, bytes), annotations: { packed: sha256(Buffer.from(data, "base64")) } };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
