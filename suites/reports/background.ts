import { basename } from "node:path";
import {
  type Json,
  type JsonObject,
  type Protocol,
  type Report,
  type ReportOptions,
  sourceIn,
} from "../../schemas/index.ts";
import { indexVectors, type VectorIndex } from "../packs/corpus/index.ts";

/** Data about a protocol that its report does not contain. Some formats show more if they receive it. */
export interface Background {
  protocol: string;
  version: string;
  schemas: readonly JsonObject[];
  /** The name of the implementation in scenarios, if the protocol has one. */
  side?: string | undefined;
  /** Returns a name for the schema with this address: its documents and its file. */
  nameOfSchema?: (id: string) => string | undefined;
  /** Returns the instance of a vector in its set; undefined if there is none, or if the set is not available. */
  instance: (id: string) => Json | undefined;
}

/** The parts of a report that are needed to find its vectors. */
interface ReportVectors extends Pick<Report, "runs"> {
  options?: Pick<ReportOptions, "vectors">;
}

/** Returns the background of each protocol, with the vectors of the report's runs. */
export function backgroundOf(protocols: readonly Protocol[], report: ReportVectors): Background[] {
  return protocols.map((protocol): Background => {
    const { name, version, schemas } = protocol;
    let vectors: VectorIndex | "absent" | undefined;
    return {
      protocol: name,
      version,
      schemas,
      nameOfSchema: (id) => nameSchema(protocol, id),
      side: Object.keys(protocol.profile.sides ?? {})[0],
      instance(id) {
        try {
          vectors ??= vectorsOf(protocol, report) ?? "absent";
          return vectors === "absent" ? undefined : vectors.find(id)?.data;
        } catch {
          // A report can also be read if its vectors are missing or damaged.
          vectors = "absent";
          return undefined;
        }
      },
    };
  });
}

function nameSchema(protocol: Protocol, id: string): string | undefined {
  const documents = protocol.profile.documents.filter(({ schema }) => schema === id);
  const file = documents[0]?.file ?? sourceIn(protocol, `${id}#`)?.file;
  const names = [...documents.map(({ name }) => name), ...(file === undefined ? [] : [basename(file)])];
  return names.length === 0 ? undefined : names.join(", ");
}

function vectorsOf(protocol: Protocol, { runs, options }: ReportVectors): VectorIndex | undefined {
  const runsOfProtocol = runs.filter((run) => run.protocol === protocol.name && run.version === protocol.version);
  const vectors = indexVectors(protocol, (runsOfProtocol[0]?.options ?? options)?.vectors);
  return runsOfProtocol.every(({ set }) => set.digest === vectors.digest) ? vectors : undefined;
}
