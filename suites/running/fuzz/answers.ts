import type { Document, Protocol, Result, Run, Target, Vector } from "../../../schemas/index.ts";
import { runProtocol } from "../run/protocol.ts";

/** How to ask an open target. */
export interface OpenAsking {
  protocol: Protocol;
  target: Target;
  concurrency: number | undefined;
  timeoutMs: number;
  /** The seed for fresh values. */
  seed: number;
  signal: AbortSignal | undefined;
}

/** Runs vectors against a target as a run does. A failure means that the target will not answer any more. */
export async function askVectors(
  asking: OpenAsking,
  document: Document,
  vectors: readonly Vector[],
  onResult: (result: Result) => void,
): Promise<{ results: Result[]; failure?: Run["failure"] }> {
  const cases = vectors.map((vector) => ({ vector, document }));
  const nothing = { set: { digest: "", count: 0 }, filter: { only: [], skip: [] } };
  const { run } = await runProtocol({ ...asking, ...nothing, cases, onResult });
  return { results: run.results, ...(run.failure === undefined ? {} : { failure: run.failure }) };
}

/** A target that is already open, and is not closed by its borrower. */
export function lendTarget(target: Target): Target {
  return {
    kind: target.kind,
    get name() {
      return target.name;
    },
    get claims() {
      return target.claims;
    },
    get assumes() {
      return target.assumes;
    },
    concurrency: target.concurrency,
    ...(target.secrets === undefined ? {} : { secrets: target.secrets }),
    open: async () => {},
    skips: (question) => target.skips(question),
    check: (question, signal) => target.check(question, signal),
    close: async () => {},
  };
}
