import type { FailOn, Result } from "../../schemas/index.ts";
import { failsRun } from "./exit.ts";

/** The number of further tries of a failing vector or scenario, and the kinds of causes that excuse different answers. */
export interface Retry {
  count: number;
  excuses?: readonly string[] | undefined;
  failOn?: FailOn | undefined;
}

/** Whether a result shows the target's behaviour. */
function isAnswered({ outcome }: Result): boolean {
  return outcome !== "errored" && outcome !== "timed-out" && outcome !== "skipped";
}

/** Whether a further try may change the result of the earlier tries: not after one has failed and another has passed. */
export function isOpen(tries: readonly Result[], { failOn }: Retry): boolean {
  return !tries.some((each) => isAnswered(each) && !failsRun(each, failOn));
}

/**
 * The result of several tries of one vector, or of one rule of a scenario, after a failed first try: the index of the decisive try, and the
 * flaky result if the answers differ. A violation in every answered try is a violation, and a vector without any answer keeps its first
 * result.
 */
export function judgeTries(tries: readonly [Result, ...Result[]], retry: Retry): { place: number; flaky?: Result } {
  const passed = tries.findIndex((each) => isAnswered(each) && !failsRun(each, retry.failOn));
  const violated = tries.findIndex((each) => isAnswered(each) && failsRun(each, retry.failOn));
  if (passed < 0) return { place: Math.max(violated, 0) };
  const first = tries[violated < 0 ? 0 : violated] as Result;
  const of = first.cause?.kind ?? first.outcome;
  const outcomes = tries.map(({ outcome }) => outcome);
  const excused = retry.excuses?.includes(of) === true;
  const excuse = excused ? `; excused by the configuration (retry.excuses: ${of})` : "";
  const why = `answers differ between tries (${outcomes.join(", ")}): ${first.why ?? first.outcome}${excuse}`;
  const cause = { kind: "flaky" as const, tries: outcomes, of, ...(excused ? { excused } : {}) };
  return { place: passed, flaky: { ...first, outcome: "flaky", why, cause } };
}
