import {
  builtInPacks,
  type Credential,
  type Protocol,
  protocolsNamed,
  type Result,
  type TargetConfig,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { runSuite } from "../../running/run/suite.ts";
import { targetFrom } from "../../targets/index.ts";

/** The results of a few vectors of a protocol. */
export interface Probe {
  protocol: string;
  sampleCount: number;
  conforms: number;
  /** The number of vectors with an answer of any kind. */
  answered: number;
  /** Vectors with an unexpected answer, or none, and the reason. */
  unexpectedResults: readonly Pick<Result, "id" | "outcome" | "why">[];
  failure?: string;
}

/** The number of valid vectors, and of invalid ones, that run against the target. */
const samplesPerVerdict = 4;

/** Runs a few vectors of a protocol, or of the document `only`, against a target. The results show whether the target is running, understands the messages, and distinguishes valid from invalid ones. */
export async function probe(
  protocol: Protocol,
  target: TargetConfig,
  {
    signal,
    only,
    credential,
  }: { signal?: AbortSignal | undefined; only?: string | undefined; credential?: Credential | undefined } = {},
): Promise<Probe> {
  const files = loadVectors(protocol).files.filter(({ document }) =>
    only === undefined ? isReached(protocol, document, target) : document === only,
  );
  const sampleVectors = drawSample(files.flatMap(({ tests }) => tests));
  const { counts, runs } = await runSuite({
    protocols: [protocol],
    target: credential === undefined ? target : () => targetFrom(target, { credential }),
    only: sampleVectors,
    timeoutMs: 10_000,
    ...(signal && { signal }),
  });
  const { skipped, errored } = counts;
  const failure = runs.find((run) => run.failure !== undefined)?.failure?.message;
  const results = runs.flatMap((run) => run.results);
  return {
    protocol: protocol.name,
    sampleCount: sampleVectors.length - skipped,
    conforms: counts.conforms,
    answered: results.length - skipped - errored - counts["timed-out"],
    unexpectedResults: results.filter(({ outcome }) => outcome !== "conforms" && outcome !== "skipped"),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Finds the protocol that a target implements, by running a few vectors of each. Throws a target error unless exactly one protocol fits. */
export async function recognizeServer(
  target: TargetConfig,
  signal?: AbortSignal,
  credential?: Credential,
): Promise<Probe> {
  const probes: Probe[] = [];
  for (const protocol of protocolsNamed("all")) {
    const result = await probe(protocol, target, { signal, credential });
    if (result.failure !== undefined) throw unusableTarget(result.failure);
    probes.push(result);
  }
  const [best, second] = probes.sort((a, b) => b.conforms - a.conforms) as [Probe, Probe];
  // A server that accepts everything, or refuses everything, passes half of the samples of every protocol.
  if (best.conforms > samplesPerVerdict && best.conforms > second.conforms) return best;
  throw new TouchstoneError("target", "the protocol of the implementation cannot be recognized", {
    hint: `name it with --protocol: ${builtInPacks.map(({ name }) => name).join(", ")}`,
  });
}

/** Creates the error for a target that cannot be judged. The first line of `failure` is the reason; the others are advice. */
export function unusableTarget(failure: string): TouchstoneError {
  const [problem = "", ...advice] = failure.split("\n").map((line) => line.trim());
  return new TouchstoneError("target", problem, { hint: [...advice, "nothing was written"].join("\n") });
}

/** Whether messages of a document can be sent to the target: a server may have endpoints for only some documents. */
function isReached({ profile }: Pick<Protocol, "profile">, name: string, target: TargetConfig): boolean {
  if (target.kind !== "http" || target.endpoints?.[name] !== undefined) return true;
  const withEndpoint = profile.documents.filter(({ endpoint }) => endpoint !== undefined);
  if (withEndpoint.length === 0) return target.endpoints === undefined;
  return withEndpoint.some((document) => document.name === name);
}

function isPlain({ needs, data, level, beyond }: Vector): boolean {
  return needs.length === 0 && data !== undefined && level === undefined && beyond === undefined;
}

/** Chooses valid and invalid vectors that every kind of target can run, spread over the set. */
function drawSample(vectors: readonly Vector[]): string[] {
  return [true, false].flatMap((valid) => {
    const candidates = vectors.filter(
      (vector) => vector.valid === valid && /^[^/]+\/[^/]+\/[^/]+\/(in)?valid\//.test(vector.id) && isPlain(vector),
    );
    const step = Math.max(1, Math.floor(candidates.length / samplesPerVerdict));
    return candidates
      .filter((_, index) => index % step === 0)
      .slice(0, samplesPerVerdict)
      .map(({ id }) => id);
  });
}
