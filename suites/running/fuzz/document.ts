import type fc from "fast-check";
import {
  type Document,
  type Protocol,
  type Result,
  type Run,
  readAs,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { boundText } from "../../base/text/bounds.ts";
import { ruled } from "../../packs/pack/load.ts";
import { causeOf } from "./cause.ts";
import { drawsFor, type FuzzDraw } from "./draws.ts";
import { type Examine, examinerFor } from "./oracle.ts";
import { wholePath } from "./path.ts";
import { canShrink, shrink } from "./shrink.ts";

/** A failure, shrunk as far as possible. */
export interface FuzzFinding {
  document: Document;
  vector: Vector;
  /** The valid message from which the failing one was made. */
  parent?: Vector;
}

/** The results for one document. */
export interface Fuzzed {
  results: Result[];
  findings: FuzzFinding[];
  /** The number of causes of failures, without warnings. */
  graveCount: number;
  failure?: Run["failure"];
}

export interface DocumentRun {
  protocol: Protocol;
  document: Document;
  /** The chosen readings of contradictions in the specification. */
  readings: readonly string[];
  runs: number;
  seed: number;
  /** The path of a single message, as printed with a failure. A path without a colon is a position in the seed's sequence. */
  path: string | undefined;
  /** The number of causes after which the run ends. */
  maxFailures: number;
  signal: AbortSignal | undefined;
  /** Runs vectors against the target. A failure means that it cannot answer further questions. */
  ask(vectors: readonly Vector[], silent?: boolean): Promise<{ results: Result[]; failure?: Run["failure"] }>;
}

/** The maximum number of warnings that are shrunk; warnings do not end a run. */
const maxFindings = 20;

/** The number of messages in a batch. The first is small, in case the target skips this document altogether. */
const firstBatchSize = 16;
const maxBatchSize = 128;

/** Sends random messages of one document to a target, and shrinks the first failure of each cause. */
export async function fuzzDocument(run: DocumentRun): Promise<Fuzzed> {
  const { protocol, document, seed, signal, maxFailures } = run;
  const { default: fc } = await import("fast-check");
  const draws = await drawsFor(protocol, document);
  const fuzzed: Fuzzed = { results: [], findings: [], graveCount: 0 };
  if (draws === undefined) return fuzzed;
  const examineRaw = await examinerFor(await ruled(protocol), document);
  const examine: Examine = (draw, name) => readAs(protocol, run.readings, examineRaw(draw, name));
  if (run.path?.includes(":")) {
    await runSingleDraw(run, examine, drawAt(fc, draws, seed, run.path), fuzzed);
    return fuzzed;
  }
  const causes = new Set<string>();
  const start = Number(run.path ?? 0);
  const end = start + (run.path === undefined ? run.runs : 1);
  for (let first = start; first < end && fuzzed.failure === undefined; ) {
    if (signal?.aborted === true || fuzzed.graveCount >= maxFailures) break;
    const batchSize = Math.min(first === start ? firstBatchSize : maxBatchSize, end - first);
    const newDraws = await drawBatch(
      (chunkStart, count) => fc.sample(draws, { seed, path: String(chunkStart), numRuns: count }),
      {
        first,
        wanted: batchSize,
        signal,
      },
    );
    const drawnCount = newDraws.length;
    if (drawnCount === 0) break;
    const vectors = newDraws.map((draw, offset) => examine(draw, `${seed}/${first + offset}`));
    const { results, failure } = await run.ask(vectors);
    if (failure !== undefined) fuzzed.failure = failure;
    for (const result of results) {
      const offset = vectors.findIndex(({ id }) => id === result.id);
      const cause = causeOf(result);
      const isNew =
        cause !== undefined &&
        !causes.has(cause) &&
        causes.size - fuzzed.graveCount < maxFindings &&
        fuzzed.graveCount < maxFailures;
      if (isNew) causes.add(cause);
      if (isNew && result.outcome !== "warns") fuzzed.graveCount += 1;
      const shrunk = isNew
        ? await shrinkFailure(run, { draws, examine, result, index: first + offset, cause })
        : undefined;
      const draw = shrunk?.draw ?? newDraws[offset];
      const vector = shrunk?.vector ?? vectors[offset];
      if (isNew && draw !== undefined && vector !== undefined && isBreach(result))
        fuzzed.findings.push(findingOf(document, vector, draw, examine));
      fuzzed.results.push(shrunk?.result ?? result);
    }
    if (first === start && results.every(({ outcome }) => outcome === "skipped")) break;
    first += drawnCount;
  }
  return fuzzed;
}

/** Drawing is slow if a chunk takes longer than this many milliseconds. Chunks then become small, so that an abort is noticed soon. */
const yieldInterval = 200;
/** Milliseconds after which the messages drawn so far are sent. */
const maxDrawTime = 1000;

/** Draws messages from a position in the seed's sequence: as many as wanted, or fewer if drawing is slow. Stops when the run is aborted. */
async function drawBatch(
  sample: (chunkStart: number, count: number) => FuzzDraw[],
  { first, wanted: wantedCount, signal }: { first: number; wanted: number; signal: AbortSignal | undefined },
): Promise<FuzzDraw[]> {
  const newDraws: FuzzDraw[] = [];
  const startedAt = performance.now();
  for (let chunkSize = 1; newDraws.length < wantedCount && performance.now() - startedAt < maxDrawTime; ) {
    if (signal?.aborted === true) break;
    const chunkStartedAt = performance.now();
    newDraws.push(...sample(first + newDraws.length, Math.min(chunkSize, wantedCount - newDraws.length)));
    chunkSize = performance.now() - chunkStartedAt < yieldInterval ? chunkSize * 2 : 1;
    await new Promise((resume) => setImmediate(resume));
  }
  return newDraws;
}

/** Draws the message at the end of a path. Throws a usage error if there is no message at that path. */
function drawAt({ sample }: typeof fc, draws: fc.Arbitrary<FuzzDraw>, seed: number, path: string): FuzzDraw {
  let sampledDraws: FuzzDraw[] = [];
  let cause: unknown;
  try {
    sampledDraws = sample(draws, { seed, path: wholePath(path), numRuns: 1 });
  } catch (error) {
    if (!/^Unable to replay/.test((error as Error).message)) throw error;
    cause = error;
  }
  const [draw] = sampledDraws;
  if (draw !== undefined) return draw;
  throw new TouchstoneError("usage", `the path ${boundText(path)} gives no message with the seed ${seed}`, {
    hint: "the schema, its samples or touchstone have changed since the path was printed: leave out --path, or run the vectors that --save has written",
    ...(cause === undefined ? {} : { cause }),
  });
}

interface FailedDraw {
  draws: fc.Arbitrary<FuzzDraw>;
  examine: Examine;
  result: Result;
  index: number;
  cause: string;
}

/** Shrinks a failure. The path to the smaller message becomes part of its id. */
async function shrinkFailure(
  run: DocumentRun,
  { draws, examine, result, index, cause }: FailedDraw,
): Promise<{ draw: FuzzDraw; vector: Vector; result: Result } | undefined> {
  if (!canShrink(result) || run.signal?.aborted === true) return undefined;
  const { seed } = run;
  const ask = async (draw: FuzzDraw, name: string): Promise<Result | undefined> =>
    (await run.ask([examine(draw, `${seed}/${name}`)], true)).results[0];
  const shrunk = await shrink({ draws, seed, index, cause, ask }, result.outcome);
  if (shrunk === undefined) return undefined;
  const vector = examine(shrunk.draw, `${seed}/${shrunk.path}`);
  return { draw: shrunk.draw, vector, result: { ...shrunk.result, id: vector.id, description: vector.description } };
}

async function runSingleDraw(run: DocumentRun, examine: Examine, draw: FuzzDraw, fuzzed: Fuzzed): Promise<void> {
  const vector = examine(draw, `${run.seed}/${run.path}`);
  const { results, failure } = await run.ask([vector]);
  fuzzed.results.push(...results);
  if (failure !== undefined) fuzzed.failure = failure;
  if (results.some(isBreach)) fuzzed.findings.push(findingOf(run.document, vector, draw, examine));
}

function isBreach({ outcome }: Result): boolean {
  return outcome === "violates" || outcome === "warns";
}

function findingOf(document: Document, vector: Vector, draw: FuzzDraw, examine: Examine): FuzzFinding {
  if (draw.source !== "faulty") return { document, vector };
  const name = vector.id.slice(vector.id.indexOf("/fuzz/") + "/fuzz/".length);
  const parent = examine({ source: "valid", data: draw.parent }, `${name}/parent`);
  return { document, vector: { ...vector, parent: parent.id }, parent };
}
