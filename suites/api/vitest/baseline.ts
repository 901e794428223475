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

/** The report, and the baseline to compare it with. */
export interface HeldList {
  list: Baseline;
  protocol: Protocol;
  results: Result[];
  filter: { only: readonly string[]; skip: readonly string[] };
  failOn: FailOn;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** Faults of a list that belong to no single test: unknown, expired and duplicate entries, and rules without a failure. */
export function misfitsOf({ list: given, protocol, results, filter, failOn, today }: HeldList): string[] {
  const list = renameEntries(given);
  const run: Run = {
    protocol: protocol.name,
    version: protocol.version,
    target: { kind: "module", name: "vitest" },
    results,
    set: { digest: list.sets[protocol.name] ?? "", count: results.length },
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
    /^(unknown|expired|duplicate)$/.test(kind) || (kind === "stale" && list.entries[index]?.id === undefined);
  return entryFindings(report, { list, today, rules: protocol.rules, sourceOf }).flatMap((found, index) =>
    found !== undefined && isShown(found.kind, index) ? `${found.kind}: ${found.name}: ${found.what}` : [],
  );
}
