import type { Document, Protocol, Result, Run, Target, Vector } from "../../../schemas/index.ts";
import { runProtocol } from "../run/protocol.ts";

/** An open target, with the settings for sending it questions. */
export interface OpenTarget {
  protocol: Protocol;
  target: Target;
  concurrency: number | undefined;
  timeoutMs: number;
  /** The seed for fresh values. */
  seed: number;
  signal: AbortSignal | undefined;
}

/** Runs vectors against an open target. A failure means that the target cannot answer further questions. */
export async function askVectors(
  asking: OpenTarget,
  document: Document,
  vectors: readonly Vector[],
  onResult: (result: Result) => void,
): Promise<{ results: Result[]; failure?: Run["failure"] }> {
  const cases = vectors.map((vector) => ({ vector, document }));
  const emptySelection = { set: { digest: "", count: 0 }, filter: { only: [], skip: [] } };
  const { run } = await runProtocol({ ...asking, ...emptySelection, cases, onResult });
  return { results: run.results, ...(run.failure === undefined ? {} : { failure: run.failure }) };
}

/** Wraps an open target so that opening and closing it have no effect. */
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
