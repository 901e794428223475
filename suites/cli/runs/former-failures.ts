import { existsSync } from "node:fs";
import type { Outcome, Result } from "../../../schemas/index.ts";
import { readBytes } from "../../base/format/bytes.ts";
import { failsRun } from "../../results/exit.ts";
import { configFor, type RunOptions } from "../options/settings.ts";

/** The results of earlier runs: the ids that failed, the ids that warned, the outcome and file of all that did not fail, and the files that were read. */
export interface FormerFailures {
  failed: Set<string>;
  warned: Set<string>;
  notFailed: Map<string, string>;
  files: string[];
}

/** Outcomes that can be fixed although they do not fail a run. */
const warningOutcomes: readonly Outcome[] = ["warns", "wrong-reason"];

/** Reads earlier results from the named report, or from the reports that the configuration names. A report that cannot be read is ignored. */
export async function formerFailures(from: string | undefined, options: RunOptions): Promise<FormerFailures> {
  const files = from === undefined ? await configuredReports(options) : [from];
  const { readReport } = await import("../../reports/reading/report-reader.ts");
  const former: FormerFailures = { failed: new Set(), warned: new Set(), notFailed: new Map(), files: [] };
  for (const file of files.filter((file) => existsSync(file))) {
    const report = await readReport(readBytes(file).toString("utf8"), file).catch(() => undefined);
    if (report === undefined) continue;
    former.files.push(file);
    for (const result of report.runs.flatMap(({ results }) => results)) {
      if (failsRun(result, report.failOn)) former.failed.add(result.id);
      else former.notFailed.set(result.id, `${result.outcome} in ${file}`);
      if (warningOutcomes.includes(result.outcome)) former.warned.add(result.id);
    }
  }
  return former;
}

/** Describes the earlier result of a vector that did not fail, in one line; empty for a vector that failed. */
export function noFailureOf({ id, outcome }: Result, { failed, warned, notFailed, files }: FormerFailures): string[] {
  if (failed.has(id)) return [];
  if (warned.has(id)) return [notFailed.get(id) as string];
  if (files.length > 0) return [`no failure is recorded: ${notFailed.get(id) ?? `it is not in ${files.join(", ")}`}`];
  return outcome === "conforms" ? ["no report says whether it failed; --from REPORT reads one"] : [];
}

async function configuredReports(options: RunOptions): Promise<string[]> {
  const { config } = await configFor(options);
  return (config.report ?? []).flatMap((report) => /^jsonl?=(.+)$/s.exec(report)?.[1] ?? []);
}
