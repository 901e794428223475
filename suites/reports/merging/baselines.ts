import type { BaselineReport, Report } from "../../../schemas/index.ts";

/** The results of several reports against a baseline, combined as in one; empty if none had a baseline. */
export function mergeBaselines(reports: readonly Report[]): { baseline?: BaselineReport } {
  const all = reports.flatMap(({ baseline }) => baseline ?? []);
  const [first] = all;
  if (first === undefined) return {};
  const findings = new Map(all.flatMap((each) => each.findings).map((found) => [JSON.stringify(found), found]));
  const known = all.reduce((sum, each) => sum + each.known, 0);
  return { baseline: { file: first.file, known, findings: [...findings.values()] } };
}
