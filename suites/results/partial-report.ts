import type { Report, Run } from "../../schemas/index.ts";

/** Why a report is partial, so that it allows no conclusion about the rest; undefined for a complete report. */
export function partOnly(report: Pick<Report, "runs" | "complete">): string | undefined {
  if (report.runs.length === 0) return "nothing was run";
  for (const run of report.runs) {
    const why = partOf(run);
    if (why !== undefined) return why;
  }
  return report.complete ? undefined : "the run did not come to its end";
}

function partOf({ filter: { only, skip }, failure, shard }: Run): string | undefined {
  if (only.length > 0) return `only ${only.join(", ")} was run`;
  if (skip.length > 0) return `${skip.join(", ")} was skipped`;
  if (shard !== undefined) return `shard ${shard.index}/${shard.count} was run`;
  return failure === undefined ? undefined : `the run failed at ${failure.stage}`;
}
