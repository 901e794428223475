import { type Document, type Protocol, readAs, TouchstoneError, type Vector } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** A vector and the document that it belongs to. */
export interface RunCase {
  vector: Vector;
  document: Document;
}

/** Returns the cases of a vector set, in its order, under the given readings of the protocol. Throws an error for a document that the protocol does not have: a usage error for a pack, otherwise an internal one. */
export function casesOf(protocol: Protocol, set: VectorSet, readings: readonly string[] = []): RunCase[] {
  return set.files.flatMap(({ document: name, tests }) => {
    const document = protocol.profile.documents.find((candidate) => candidate.name === name);
    if (document === undefined) {
      throw new TouchstoneError(
        protocol.foreign === true ? "usage" : "internal",
        `the vector set has a document "${name}" that ${protocol.name} does not have`,
        {
          hint: "the vectors and the protocol's profile are of different versions",
        },
      );
    }
    return tests.map((vector) => ({ vector: readAs(protocol, readings, vector), document }));
  });
}
