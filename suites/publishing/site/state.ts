import type { Report, Run } from "../../../schemas/index.ts";
import { countNoun, describeCounts, isDrawn, ranOf } from "../../reports/wording/phrases.ts";
import { describeUntested } from "../../reports/wording/untested.ts";
import { partOnly } from "../../results/partial-report.ts";
import type { SiteState } from "./types.ts";

/** The result of a run, without regard to its baseline: a reader of other parties' results must not overlook a known failure. A run conforms only if everything was run, each vector got an answer, and at least one was decided. */
export function stateOf(run: Run, report: Pick<Report, "complete" | "options">): SiteState {
  const { counts } = run;
  if (counts.violates > 0)
    return { name: "fails", says: `${countNoun(counts.violates, "violation")} in ${ranOf(counts)}` };
  const why = whyOpen(run, report);
  if (why !== undefined) return { name: "open", says: why };
  return { name: "conforms", says: describeCounts(counts) };
}

function whyOpen(run: Run, { complete, options }: Pick<Report, "complete" | "options">): string | undefined {
  const { counts } = run;
  const part = partOnly({ runs: [run], complete });
  if (part !== undefined) return `not the whole: ${part}`;
  const unansweredCount = counts.errored + counts["timed-out"] + counts.flaky;
  if (unansweredCount > 0) return `${unansweredCount} of ${ranOf(counts)} without a usable answer`;
  const calledOptions = run.options ?? options;
  if (calledOptions !== undefined && isDrawn({ options: calledOptions })) return "vectors drawn at random only";
  return counts.conforms === 0 ? "no vector was decided" : describeUntested({ runs: [run] });
}
