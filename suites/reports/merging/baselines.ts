import type { BaselineReport, Report } from "../../../schemas/index.ts";

/** The results of several reports against a baseline, combined as in one; empty if none had a baseline. */
export function mergeBaselines(reports: readonly Report[]): { baseline?: BaselineReport } {
  const all = reports.flatMap(({ baseline }) => baseline ?? []);
  const [first] = all;
  if (first === undefined) return {};
  const findings = new Map(
    all
      .flatMap((baselineReport) => baselineReport.findings)
      .map((baselineFinding) => [JSON.stringify(baselineFinding), baselineFinding]),
  );
  const knownCount = all.reduce((sum, baselineReport) => sum + baselineReport.known, 0);
  return { baseline: { file: first.file, known: knownCount, findings: [...findings.values()] } };
}
