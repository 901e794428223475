import { type BaselineFinding, isMisfit, type Report, type Result } from "../../../schemas/index.ts";
import { failsRun } from "../../results/exit.ts";
import { describeConclusion } from "../wording/phrases.ts";

/** The status of a result in terms of tests. A result that neither passes nor fails a run is `noted`. */
export type Status = "passed" | "failed" | "errored" | "known" | "skipped" | "noted";

export function statusOf(result: Result, { failOn }: Pick<Report, "failOn">): Status {
  const { outcome, known } = result;
  if (outcome === "conforms") return "passed";
  if (outcome === "skipped") return "skipped";
  if (!failsRun(result, failOn)) return "noted";
  if (known !== undefined) return "known";
  return outcome === "errored" || outcome === "timed-out" ? "errored" : "failed";
}

export interface Shortfall {
  name: string;
  message: string;
  /** The file of the baseline, if the shortfall is a finding about it. */
  file?: string;
  /** The finding about the baseline that this belongs to. */
  finding?: BaselineFinding;
}

/** Finds failures of a run that none of its results shows. Test report formats must show each of them as a failed test. */
export function findShortfalls(report: Report): Shortfall[] {
  const { runs, complete, exitCode, baseline } = report;
  const failures = runs.flatMap(({ protocol, version, failure }): Shortfall[] => {
    if (failure === undefined) return [];
    return [{ name: `${protocol}/${version}`, message: `The run failed at ${failure.stage}: ${failure.message}` }];
  });
  const { file = "", findings = [] } = baseline ?? {};
  for (const finding of findings) {
    const { name, what } = finding;
    if (isMisfit(finding))
      failures.push({ name: `baseline ${name}`, message: `The baseline does not fit: ${what}`, file, finding });
  }
  if (!complete && failures.length === 0) {
    failures.push({ name: "the run", message: "Interrupted: not every vector has its outcome." });
  }
  const hasFailedResult = runs.some(({ results }) =>
    results.some((result) => ["failed", "errored"].includes(statusOf(result, report))),
  );
  if (exitCode !== 0 && failures.length === 0 && !hasFailedResult)
    failures.push({ name: "the run", message: describeConclusion(report) });
  return failures;
}
