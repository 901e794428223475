import { createHash } from "node:crypto";
import { canonical } from "./canonical.ts";
import type { Json } from "./json.ts";
import type { VectorKind } from "./vector.ts";

/** Files, counts and digests of a vector set. Digests are `sha256-` and base64 of the file's bytes. */
export interface Manifest {
  $schema: string;
  name: string;
  /** Semantic version of the set: MAJOR format, MINOR coverage, PATCH correction. */
  version: string;
  generator: { name: string; version: string; seed: number };
  /** The digest of the rest of the manifest, in its canonical form (RFC 8785). */
  digest: string;
  count: number;
  /** The file of former ids, their number, and the digest of its bytes; absent in sets without former ids, and before version 1.2.0. */
  aliases?: { path: string; count: number; digest: string };
  /** The documents that still have no vectors, if generation was stopped early. */
  missing?: string[];
  files: {
    path: string;
    protocol: string;
    version: string;
    document: string;
    kind: VectorKind;
    count: number;
    digest: string;
  }[];
  /** For each document, the number of assertions in its schema, the number that an invalid vector isolates, and why the others are not isolated. */
  documents: {
    protocol: string;
    version: string;
    document: string;
    schema: string;
    sites: number;
    broken: number;
    unbroken: UnbrokenAssertion[];
    forcing: MutationScore;
  }[];
}

/** An assertion that no invalid vector isolates, and why; `kind` is absent in vectors of earlier versions. */
export interface UnbrokenAssertion {
  site: string;
  kind?: UnbrokenKind;
  why: string;
}

/**
 * Why no vector isolates an assertion, in the order of the list: no instance breaks it alone (proven); none was found; the search gave up; the
 * instance is too large, breaks another assertion, or also breaks a semantic rule; no valid instance reaches it; validators disagree on it;
 * the time ran out.
 */
export const unbrokenKinds = [
  "unbreakable",
  "undecided",
  "gave-up",
  "too-large",
  "entangled",
  "ruled",
  "unreached",
  "disputed",
  "not-worked-on",
] as const;
export type UnbrokenKind = (typeof unbrokenKinds)[number];

/** How many mutants of a document's schema its vectors kill. */
export interface MutationScore extends MutantTally {
  /** Mutants in schemas that are also separate documents: here, one vector for each is enough. */
  away?: number;
  /** Set if not all possible mutants were tried, because the schema is too large or the time ran out. */
  partial?: boolean;
  /** The counts by keyword. */
  keywords: Record<string, MutantTally>;
  /** The counts by operator, that is, by class of mistake. */
  operators?: Record<string, MutantTally>;
  /** Mutants killed by too few vectors, and why. */
  unforced: {
    site: string;
    operator: string;
    says: string;
    kills: number;
    why: string;
    /** The semantic rules that may refuse every vector that would kill it. */
    beyond?: string[];
  }[];
}

/** The number of mutants, and how many of them were killed. */
export interface MutantTally {
  mutants: number;
  /** Killed by at least two vectors. */
  twice: number;
  /** Killed by one vector only. */
  once: number;
  /** Mutants among `once` that no second instance can kill (proven). */
  only?: number;
  /** Killed only by vectors that semantic rules may refuse. They do not count as killed, because such vectors never fail a target. */
  beyond?: number;
  /** Proven equivalent: no instance kills them. */
  equivalent: number;
}

/** The digest of bytes, or of a string in UTF-8: `sha256-` and base64. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
}

/**
 * Digest of a manifest: over its canonical form without the member `digest`. It covers the whole manifest and, through
 * the digests of the files, every byte of the set.
 */
export function manifestDigest({ digest: _, ...rest }: Partial<Manifest>): string {
  return digestOf(canonical(rest as unknown as Json));
}

/** Digest of the content of a part of a vector set: over one line `PATH DIGEST` for each file, each ended by a line feed. */
export function setDigest(files: readonly { path: string; digest: string }[]): string {
  return digestOf(files.map(({ path, digest }) => `${path} ${digest}\n`).join(""));
}

/** Sets the digest of a manifest. */
export function sealManifest(manifest: Manifest): Manifest {
  return { ...manifest, digest: manifestDigest(manifest) };
}

/** Makes the file of the former ids of a set: returns its entry in the manifest, and its text. */
export function formerIdsFile(ids: Readonly<Record<string, string>>): [NonNullable<Manifest["aliases"]>, string] {
  const text = `${JSON.stringify(ids, null, 2)}\n`;
  return [{ path: "aliases.json", count: Object.keys(ids).length, digest: digestOf(text) }, text];
}
