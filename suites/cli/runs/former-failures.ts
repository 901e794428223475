import { existsSync } from "node:fs";
import type { Outcome, Result } from "../../../schemas/index.ts";
import { bytesIn } from "../../base/format/bytes.ts";
import { failsRun } from "../../results/exit.ts";
import { configFor, type RunOptions } from "../options/settings.ts";

/** The results of some reports: the ids that failed, those that only warned, the outcome and report of all others, and the files that were read. */
export interface FormerFailures {
  failed: Set<string>;
  warned: Set<string>;
  others: Map<string, string>;
  files: string[];
}

/** Outcomes that can be repaired although they fail no run by themselves. */
const warnings: readonly Outcome[] = ["warns", "wrong-reason"];

/** The known earlier results: from the named report, or from the reports that the configuration has written. A report that cannot be read is ignored. */
export async function formerFailures(from: string | undefined, options: RunOptions): Promise<FormerFailures> {
  const files = from === undefined ? await writtenBy(options) : [from];
  const { readReport } = await import("../../reports/reading/report-reader.ts");
  const before: FormerFailures = { failed: new Set(), warned: new Set(), others: new Map(), files: [] };
  for (const file of files.filter((each) => existsSync(each))) {
    const report = await readReport(bytesIn(file).toString("utf8"), file).catch(() => undefined);
    if (report === undefined) continue;
    before.files.push(file);
    for (const result of report.runs.flatMap(({ results }) => results)) {
      if (failsRun(result, report.failOn)) before.failed.add(result.id);
      else before.others.set(result.id, `${result.outcome} in ${file}`);
      if (warnings.includes(result.outcome)) before.warned.add(result.id);
    }
  }
  return before;
}

/** The result of an earlier run for a vector that failed in none of them, in a line; empty if it is not needed. */
export function noFailureOf({ id, outcome }: Result, { failed, warned, others, files }: FormerFailures): string[] {
  if (failed.has(id)) return [];
  if (warned.has(id)) return [others.get(id) as string];
  if (files.length > 0) return [`no failure is recorded: ${others.get(id) ?? `it is not in ${files.join(", ")}`}`];
  return outcome === "conforms" ? ["no report says whether it failed; --from REPORT reads one"] : [];
}

async function writtenBy(options: RunOptions): Promise<string[]> {
  const { config } = await configFor(options);
  return (config.report ?? []).flatMap((each) => /^jsonl?=(.+)$/s.exec(each)?.[1] ?? []);
}
