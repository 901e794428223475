import type { VectorKind } from "./vector.ts";

/** Files, counts and digests of a vector set. Digests are `sha256-` and base64 of the file's bytes. */
export interface Manifest {
  $schema: string;
  name: string;
  /** Semantic version of the set: MAJOR format, MINOR coverage, PATCH correction. */
  version: string;
  generator: { name: string; version: string; seed: number };
  /** Over the lines `PATH DIGEST` of all files, in order. */
  digest: string;
  count: number;
  files: {
    path: string;
    protocol: string;
    version: string;
    document: string;
    kind: VectorKind;
    count: number;
    digest: string;
  }[];
}
