import { type Cause, type Counts, count, type Outcome, type Result, type Run } from "../../../schemas/index.ts";
import type { CertificationProfile } from "./profiles.ts";

/** The results of a run for the members of a profile. */
export interface Score {
  protocol: string;
  version: string;
  profile: string;
  digest: string;
  result: "PASSED" | "WARNED" | "FAILED";
  counts: Counts;
  /** Members without a result in the run. */
  missing: string[];
  /** Members that make the profile fail, with the outcome of each. */
  failed: { id: string; outcome: string; why: string; cause: Cause | undefined }[];
}

/**
 * Scores a run by a profile. The profile fails if a member has no result, violates, was skipped, errored or timed out, even if a baseline lists the
 * failure. It passes with warnings if a SHOULD is not met, or if a message was refused for a different reason.
 */
export function scoreOf(run: Run, profile: CertificationProfile): Score {
  const results = new Map(run.results.map((result) => [result.id, result]));
  const profileResults = profile.results.flatMap((id) => results.get(id) ?? []);
  const missing = profile.results.filter((id) => !results.has(id));
  const failed = profileResults
    .filter(isFailure)
    .map(({ id, outcome, why = "", cause }) => ({ id, outcome, why, cause }));
  const counts = count(profileResults);
  const lacksReading = profile.reading !== undefined && run.readings?.includes(profile.reading) !== true;
  const isFailed = failed.length + missing.length > 0 || lacksReading || profile.results.length === 0;
  const passedResult = counts.warns + counts["wrong-reason"] > 0 ? "WARNED" : "PASSED";
  return {
    protocol: run.protocol,
    version: run.version,
    profile: `${profile.name}@${profile.version}`,
    digest: profile.digest,
    result: isFailed ? "FAILED" : passedResult,
    counts,
    missing,
    failed,
  };
}

/** Disputed vectors may be answered either way. */
const passingOutcomes = new Set<Outcome>(["conforms", "warns", "wrong-reason", "disputed"]);

/** Whether an outcome prevents a certificate. Outcomes without an answer do so too. */
export function isFailure({ outcome }: Pick<Result, "outcome">): boolean {
  return !passingOutcomes.has(outcome);
}
