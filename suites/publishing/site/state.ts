import type { Report, Run } from "../../../schemas/index.ts";
import { countNoun, countRan, describeCounts, isDrawn } from "../../reports/wording/phrases.ts";
import { describeUntested } from "../../reports/wording/untested.ts";
import { reasonReportIsPartial } from "../../results/partial-report.ts";
import type { SiteState } from "./types.ts";

/** Returns the state of a run for readers of the site. It ignores the baseline, so that known failures are shown too. A run conforms only if everything was run, each vector was answered, and at least one was decided. */
export function stateOf(run: Run, report: Pick<Report, "complete" | "options">): SiteState {
  const { counts } = run;
  if (counts.violates > 0)
    return { name: "fails", summary: `${countNoun(counts.violates, "violation")} in ${countRan(counts)}` };
  const openReason = findOpenReason(run, report);
  if (openReason !== undefined) return { name: "open", summary: openReason };
  return { name: "conforms", summary: describeCounts(counts) };
}

function findOpenReason(run: Run, { complete, options }: Pick<Report, "complete" | "options">): string | undefined {
  const { counts } = run;
  const partialReason = reasonReportIsPartial({ runs: [run], complete });
  if (partialReason !== undefined) return `not the whole: ${partialReason}`;
  const unansweredCount = counts.errored + counts["timed-out"] + counts.flaky;
  if (unansweredCount > 0) return `${unansweredCount} of ${countRan(counts)} without a usable answer`;
  const runOptions = run.options ?? options;
  if (runOptions !== undefined && isDrawn({ options: runOptions })) return "vectors drawn at random only";
  return counts.conforms === 0 ? "no vector was decided" : describeUntested({ runs: [run] });
}
