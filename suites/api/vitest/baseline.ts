import {
  type Baseline,
  count,
  type FailOn,
  type Protocol,
  type Result,
  type Run,
  sourceIn,
} from "../../../schemas/index.ts";
import { entryFindings, renameEntries } from "../../results/baseline/gate.ts";
import { reportOf } from "../../results/report.ts";

/** The results of a run, and the baseline to compare them with. */
export interface BaselineCheck {
  baseline: Baseline;
  protocol: Protocol;
  results: Result[];
  filter: { only: readonly string[]; skip: readonly string[] };
  failOn: FailOn;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** Describes the faults of a baseline that do not belong to a single test: unknown, expired and duplicate entries, and entries for rules that no longer fail. */
export function findBaselineFaults({
  baseline: originalBaseline,
  protocol,
  results,
  filter,
  failOn,
  today,
}: BaselineCheck): string[] {
  const baseline = renameEntries(originalBaseline);
  const run: Run = {
    protocol: protocol.name,
    version: protocol.version,
    target: { kind: "module", name: "vitest" },
    results,
    set: { digest: baseline.sets[protocol.name] ?? "", count: results.length },
    filter: { only: [...filter.only], skip: [...filter.skip] },
    counts: count(results),
  };
  const report = reportOf({
    started: `${today}T00:00:00Z`,
    durationMs: 0,
    complete: true,
    command: "",
    failOn,
    runs: [run],
  });
  const sourceOf = (site: string): ReturnType<typeof sourceIn> => sourceIn(protocol, site);
  const isShown = (kind: string, index: number): boolean =>
    /^(unknown|expired|duplicate)$/.test(kind) || (kind === "stale" && baseline.entries[index]?.id === undefined);
  return entryFindings(report, { list: baseline, today, rules: protocol.rules, sourceOf }).flatMap((finding, index) =>
    finding !== undefined && isShown(finding.kind, index) ? `${finding.kind}: ${finding.name}: ${finding.what}` : [],
  );
}
