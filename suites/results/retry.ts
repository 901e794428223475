import type { FailOn, Result } from "../../schemas/index.ts";
import { failsRun } from "./exit.ts";

/** The number of further attempts at a failing vector or scenario, and the kinds of causes that excuse differing answers. */
export interface Retry {
  count: number;
  excuses?: readonly string[] | undefined;
  failOn?: FailOn | undefined;
}

/** Whether a result shows how the target behaves. */
function isAnswered({ outcome }: Result): boolean {
  return outcome !== "errored" && outcome !== "timed-out" && outcome !== "skipped";
}

/** Whether another attempt may change the combined result: not after one attempt has failed and another has passed. */
export function isOpen(tries: readonly Result[], { failOn }: Retry): boolean {
  return !tries.some((result) => isAnswered(result) && !failsRun(result, failOn));
}

/** Combines several attempts at one vector, or at one rule of a scenario, after a failed first one: the index of the decisive attempt, and the flaky result if the answers differ. A violation in every answered attempt is a violation, and a vector without any answer keeps its first result. */
export function judgeTries(tries: readonly [Result, ...Result[]], retry: Retry): { place: number; flaky?: Result } {
  const firstPass = tries.findIndex((result) => isAnswered(result) && !failsRun(result, retry.failOn));
  const violated = tries.findIndex((result) => isAnswered(result) && failsRun(result, retry.failOn));
  if (firstPass < 0) return { place: Math.max(violated, 0) };
  const first = tries[violated < 0 ? 0 : violated] as Result;
  const of = first.cause?.kind ?? first.outcome;
  const outcomes = tries.map(({ outcome }) => outcome);
  const excused = retry.excuses?.includes(of) === true;
  const excuse = excused ? `; excused by the configuration (retry.excuses: ${of})` : "";
  const why = `answers differ between tries (${outcomes.join(", ")}): ${first.why ?? first.outcome}${excuse}`;
  const cause = { kind: "flaky" as const, tries: outcomes, of, ...(excused ? { excused } : {}) };
  return { place: firstPass, flaky: { ...first, outcome: "flaky", why, cause } };
}
