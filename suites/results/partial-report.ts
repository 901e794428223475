import type { Report, Run } from "../../schemas/index.ts";

/** The reason why a report is partial, and so allows no conclusion about the rest; undefined if it is complete. */
export function reasonReportIsPartial(report: Pick<Report, "runs" | "complete">): string | undefined {
  if (report.runs.length === 0) return "nothing was run";
  for (const run of report.runs) {
    const why = reasonRunIsPartial(run);
    if (why !== undefined) return why;
  }
  return report.complete ? undefined : "the run did not finish";
}

function reasonRunIsPartial({ filter: { only, skip }, failure, shard }: Run): string | undefined {
  if (only.length > 0) return `only ${only.join(", ")} was run`;
  if (skip.length > 0) return `${skip.join(", ")} was skipped`;
  if (shard !== undefined) return `shard ${shard.index}/${shard.count} was run`;
  return failure === undefined ? undefined : `the run failed at ${failure.stage}`;
}
