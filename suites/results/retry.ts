import type { FailOn, Result } from "../../schemas/index.ts";
import { failsRun } from "./exit.ts";

/** How often a failing vector or scenario is tried again, and the kinds of causes that excuse differing answers. */
export interface Retry {
  count: number;
  excuses?: readonly string[] | undefined;
  failOn?: FailOn | undefined;
}

/** Whether a result shows how the target behaves. */
function isAnswered({ outcome }: Result): boolean {
  return outcome !== "errored" && outcome !== "timed-out" && outcome !== "skipped";
}

/** Whether another attempt can change the combined result. It cannot once an attempt has passed. */
export function needsAnotherTry(tries: readonly Result[], { failOn }: Retry): boolean {
  return !tries.some((result) => isAnswered(result) && !failsRun(result, failOn));
}

/** Combines several attempts at one vector, or at one rule of a scenario, after a first one that failed. Returns the index of the decisive attempt, and the flaky result if the answers differ. If every answered attempt is a violation, so is the combined result. A vector without any answer keeps its first result. */
export function judgeTries(tries: readonly [Result, ...Result[]], retry: Retry): { index: number; flaky?: Result } {
  const firstPass = tries.findIndex((result) => isAnswered(result) && !failsRun(result, retry.failOn));
  const firstViolation = tries.findIndex((result) => isAnswered(result) && failsRun(result, retry.failOn));
  if (firstPass < 0) return { index: Math.max(firstViolation, 0) };
  const first = tries[firstViolation < 0 ? 0 : firstViolation] as Result;
  const causeKind = first.cause?.kind ?? first.outcome;
  const outcomes = tries.map(({ outcome }) => outcome);
  const isExcused = retry.excuses?.includes(causeKind) === true;
  const excuse = isExcused ? `; excused by the configuration (retry.excuses: ${causeKind})` : "";
  const why = `answers differ between tries (${outcomes.join(", ")}): ${first.why ?? first.outcome}${excuse}`;
  const cause = {
    kind: "flaky" as const,
    tries: outcomes,
    of: causeKind,
    ...(isExcused ? { excused: isExcused } : {}),
  };
  return { index: firstPass, flaky: { ...first, outcome: "flaky", why, cause } };
}
