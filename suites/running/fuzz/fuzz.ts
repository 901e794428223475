import { randomInt } from "node:crypto";
import {
  count,
  type Document,
  digestOf,
  documentNamed,
  type Protocol,
  type Result,
  type Run,
  type Target,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { messageOf } from "../../results/error-message.ts";
import { openTarget } from "../run/opening.ts";
import { capabilitiesOf } from "../run/protocol.ts";
import { askVectors, lendTarget } from "./answers.ts";
import { type FuzzFinding, fuzzDocument } from "./document.ts";

export interface FuzzOptions {
  protocol: Protocol;
  target: Target;
  /** The only document to use. */
  document?: string | undefined;
  /** The chosen readings of contradictions in the specification, by the protocol's names for them. */
  readings?: readonly string[] | undefined;
  /** The number of messages in total, shared evenly among the documents, with at least one for each. */
  runs: number;
  seed: number;
  /** The path of a single message of one document. */
  path?: string | undefined;
  /** The number of distinct causes after which the run ends. */
  maxFailures: number;
  concurrency?: number | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onResult?: (result: Result, total: number) => void;
}

export interface FuzzRun {
  run: Run;
  complete: boolean;
  findings: FuzzFinding[];
}

/** Sends random messages to a target, and judges its answers by the schemas and the rules. Throws a usage error for an unknown document, and for a path without a document. */
export async function fuzz(options: FuzzOptions): Promise<FuzzRun> {
  const { protocol, target, readings = [], seed, path, maxFailures, signal } = options;
  const documents = documentsOf(protocol, options.document);
  if (path !== undefined && documents.length !== 1)
    throw new TouchstoneError("usage", "--path gives a message of one document, and no document is named", {
      hint: "name it with --document",
    });
  const total = path === undefined ? Math.max(options.runs, documents.length) : 1;
  const runsOfFirst = (documentCount: number): number => Math.floor((total * documentCount) / documents.length);
  const results: Result[] = [];
  const findings: FuzzFinding[] = [];
  let failure: Run["failure"];
  let failuresLeft = maxFailures;
  try {
    await openTarget(target, protocol, signal);
    // A live server remembers earlier requests, so fresh values must differ from those of earlier runs.
    const askOptions = {
      protocol,
      target: lendTarget(target),
      concurrency: options.concurrency,
      timeoutMs: options.timeoutMs,
      signal,
      seed: target.kind === "http" ? randomInt(2 ** 32) : seed,
    };
    for (const [index, document] of documents.entries()) {
      if (failure !== undefined || signal?.aborted === true || failuresLeft <= 0) break;
      const onResult = (result: Result): void => options.onResult?.(result, total);
      const ask = (vectors: readonly Vector[], silent = false): ReturnType<typeof askVectors> =>
        askVectors(askOptions, document, vectors, silent ? () => {} : onResult);
      const runs = runsOfFirst(index + 1) - runsOfFirst(index);
      const documentOptions = { protocol, document, readings, runs, seed, path, signal };
      const fuzzed = await fuzzDocument({ ...documentOptions, maxFailures: failuresLeft, ask });
      results.push(...fuzzed.results);
      findings.push(...fuzzed.findings);
      failure = fuzzed.failure;
      failuresLeft -= fuzzed.graveCount;
    }
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.kind !== "target") throw error;
    failure = { stage: "open", message: messageOf(error) };
  } finally {
    await target.close().catch(() => {});
  }
  const { kind, name } = target;
  const run: Run = {
    protocol: protocol.name,
    version: protocol.version,
    target: { kind, name, ...capabilitiesOf(target) },
    // No vector is stored, so the seed identifies the questions.
    set: { digest: digestOf(`fuzz ${seed}`), count: total },
    filter: { only: options.document === undefined ? [] : [options.document], skip: [] },
    ...(readings.length === 0 ? {} : { readings: [...readings] }),
    counts: count(results),
    results,
    ...(failure === undefined ? {} : { failure }),
  };
  return { run, complete: failure === undefined && signal?.aborted !== true, findings };
}

/** Returns the documents that can be sent on their own. Throws a usage error for an unknown document. */
export function documentsOf(protocol: Protocol, name?: string): Document[] {
  const isSendable = ({ standalone, role }: Document): boolean => standalone && role !== "record" && role !== "trace";
  if (name === undefined) return protocol.profile.documents.filter(isSendable);
  const document = documentNamed(protocol, name);
  if (isSendable(document)) return [document];
  throw new TouchstoneError("usage", `${name} is not sent as a message of its own`, {
    hint: "name another document, or none for all",
  });
}
