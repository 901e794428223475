import { createHash } from "node:crypto";
import { type Protocol, type Report, type Result, type Target, TouchstoneError } from "../../../schemas/index.ts";
import { privateSet } from "../../running/challenge/index.ts";
import { runSuite } from "../../running/run/suite.ts";
import type { CertificationProfile } from "./profiles.ts";
import { isFailure } from "./score.ts";

export interface RepeatInput {
  protocol: Protocol;
  target: () => Target;
  /** The report of the run that the certificate is about. */
  report: Report;
  profiles: readonly CertificationProfile[];
  /** The number of vectors to run again, and of new vectors to make. */
  sampleSize: number;
  seed: number;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** How the present answers of an implementation agree with its certificate. */
export interface AnswerAgreement {
  repeatedCount: number;
  /** Results that fail now and passed before, or the reverse. */
  differences: { id: string; then: string; now: string }[];
  newCount: number;
  /** New vectors that the implementation violates. */
  violatedIds: string[];
}

/** Runs a sample of a certificate's vectors again, and also new vectors that are made for this run. Throws a target error if the run fails. */
export async function repeatRun({
  protocol,
  report,
  profiles,
  sampleSize: sample,
  seed,
  ...options
}: RepeatInput): Promise<AnswerAgreement> {
  const certifiedRun = report.runs.find((each) => each.protocol === protocol.name && each.version === protocol.version);
  const frozenIds = new Set(profiles.flatMap(({ results }) => results));
  const knownResults = new Map(
    (certifiedRun?.results ?? [])
      .filter(({ id, kind }) => kind === "vector" && frozenIds.has(id))
      .map((result) => [result.id, result]),
  );
  const sampledIds = drawIds([...knownResults.keys()], sample, seed);
  const { target, timeoutMs, signal } = options;
  const runOptions = {
    protocols: [protocol],
    target,
    seed,
    ...(certifiedRun?.readings === undefined ? {} : { readings: certifiedRun.readings }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  const repeatedResults = sampledIds.length === 0 ? [] : resultsOf(await runSuite({ ...runOptions, only: sampledIds }));
  const differences = repeatedResults.flatMap(({ id, outcome }) => {
    const then = (knownResults.get(id) as Result).outcome;
    return isFailure({ outcome: then }) === isFailure({ outcome }) ? [] : [{ id, then, now: outcome }];
  });
  const privateResults = resultsOf(
    await runSuite({ ...runOptions, vectors: (each) => privateSet(each, { seed, runs: sample, signal }) }),
  );
  const violated = privateResults.filter(({ outcome }) => outcome === "violates").map(({ id }) => id);
  const challenged = privateResults.filter(({ outcome }) => outcome !== "skipped").length;
  return { repeatedCount: repeatedResults.length, differences, newCount: challenged, violatedIds: violated };
}

function resultsOf(report: Report): Result[] {
  const [run] = report.runs;
  if (run === undefined || run.failure !== undefined || !report.complete)
    throw new TouchstoneError(
      "target",
      `the vectors could not be run against it: ${run?.failure?.message ?? "the run did not finish"}`,
      {
        hint: "start the implementation, and verify again",
      },
    );
  return run.results;
}

/** Draws up to `count` ids; the same seed draws the same ids. */
function drawIds(ids: readonly string[], count: number, seed: number): string[] {
  const keyedIds = ids.map((id) => ({ id, key: createHash("sha256").update(`${seed} ${id}`).digest("hex") }));
  return keyedIds
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}
