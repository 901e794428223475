import { createHash } from "node:crypto";
import { type Protocol, type Report, type Result, type Target, TouchstoneError } from "../../../schemas/index.ts";
import { privateSet } from "../../running/challenge/index.ts";
import { runSuite } from "../../running/run/suite.ts";
import type { CertificationProfile } from "./profiles.ts";
import { isFailure } from "./score.ts";

export interface Again {
  protocol: Protocol;
  target: () => Target;
  /** The report of the run that the certificate is about. */
  report: Report;
  profiles: readonly CertificationProfile[];
  /** The number of vectors that are run again, and of new ones. */
  sample: number;
  seed: number;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The present answers of an implementation compared with those of the certificate. */
export interface AnswerAgreement {
  asked: number;
  /** Results that fail now and did not before, or the reverse. */
  differences: { id: string; then: string; now: string }[];
  challenged: number;
  /** New vectors that the implementation violates. */
  violated: string[];
}

/** Runs a sample of a certificate's vectors again, and vectors made for this run. Throws a target error if nothing is answered. */
export async function repeatRun({
  protocol,
  report,
  profiles,
  sample,
  seed,
  ...options
}: Again): Promise<AnswerAgreement> {
  const run = report.runs.find((each) => each.protocol === protocol.name && each.version === protocol.version);
  const frozen = new Set(profiles.flatMap(({ results }) => results));
  const knownResults = new Map(
    (run?.results ?? [])
      .filter(({ id, kind }) => kind === "vector" && frozen.has(id))
      .map((result) => [result.id, result]),
  );
  const chosenIds = drawIds([...knownResults.keys()], sample, seed);
  const { target, timeoutMs, signal } = options;
  const runOptions = {
    protocols: [protocol],
    target,
    seed,
    ...(run?.readings === undefined ? {} : { readings: run.readings }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  const repeatedResults = chosenIds.length === 0 ? [] : resultsOf(await runSuite({ ...runOptions, only: chosenIds }));
  const differences = repeatedResults.flatMap(({ id, outcome }) => {
    const then = (knownResults.get(id) as Result).outcome;
    return isFailure({ outcome: then }) === isFailure({ outcome }) ? [] : [{ id, then, now: outcome }];
  });
  const privateResults = resultsOf(
    await runSuite({ ...runOptions, vectors: (each) => privateSet(each, { seed, runs: sample, signal }) }),
  );
  const violated = privateResults.filter(({ outcome }) => outcome === "violates").map(({ id }) => id);
  const challenged = privateResults.filter(({ outcome }) => outcome !== "skipped").length;
  return { asked: repeatedResults.length, differences, challenged, violated };
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

/** Draws up to this many of the ids, by a seed. */
function drawIds(ids: readonly string[], most: number, seed: number): string[] {
  const keyed = ids.map((id) => ({ id, key: createHash("sha256").update(`${seed} ${id}`).digest("hex") }));
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, most)
    .map(({ id }) => id);
}
