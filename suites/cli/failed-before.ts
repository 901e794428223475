import { existsSync, readFileSync } from "node:fs";
import { fails } from "../results/exit.ts";
import { configFor, type RunOptions } from "./settings.ts";

/** Ids of what failed in a report: that which is named, or those that the configuration has written. A report that cannot be read says nothing. */
export async function failedBefore(from: string | undefined, options: RunOptions): Promise<Set<string>> {
  const files = from === undefined ? await writtenBy(options) : [from];
  const { readReport } = await import("../reports/read.ts");
  const failed = new Set<string>();
  for (const file of files.filter((each) => existsSync(each))) {
    const report = await readReport(readFileSync(file, "utf8"), file).catch(() => undefined);
    for (const { results } of report?.runs ?? [])
      for (const result of results) if (fails(result, report?.failOn)) failed.add(result.id);
  }
  return failed;
}

async function writtenBy(options: RunOptions): Promise<string[]> {
  const { config } = await configFor(options);
  return (config.report ?? []).flatMap((each) => /^jsonl?=(.+)$/s.exec(each)?.[1] ?? []);
}
