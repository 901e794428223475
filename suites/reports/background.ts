import type { Json, JsonObject, Protocol, Report, ReportOptions } from "../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";

/** What a report does not hold of its protocol, for formats that show more where it is at hand. */
export interface Background {
  protocol: string;
  version: string;
  schemas: readonly JsonObject[];
  /** The instance of a vector of its set; undefined where there is none, or the set is not at hand. */
  instance: (id: string) => Json | undefined;
}

/** What a report says of the vectors that it was made on. */
interface Made extends Pick<Report, "runs"> {
  options?: Pick<ReportOptions, "vectors">;
}

/** Of the protocols of a report, with the vectors that its runs were made on: others are not looked at. */
export function backgroundOf(protocols: readonly Protocol[], report: Made): Background[] {
  return protocols.map((protocol) => {
    const { name, version, schemas } = protocol;
    let instances: ReadonlyMap<string, Json | undefined> | undefined;
    return {
      ...{ protocol: name, version, schemas },
      instance(id) {
        instances ??= instancesOf(protocol, report);
        return instances.get(id);
      },
    };
  });
}

function instancesOf(protocol: Protocol, { runs, options }: Made): Map<string, Json | undefined> {
  const mine = runs.filter((run) => run.protocol === protocol.name && run.version === protocol.version);
  const folder = (mine[0]?.options ?? options)?.vectors;
  try {
    const { digest, files } = loadVectors(protocol, folder);
    if (!mine.every(({ set }) => set.digest === digest)) return new Map();
    return new Map(files.flatMap(({ tests }) => tests.map(({ id, data }) => [id, data])));
  } catch {
    // A report is also read where its vectors are not, or are damaged by now.
    return new Map();
  }
}
