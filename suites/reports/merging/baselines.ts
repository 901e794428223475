import type { BaselineReport, Report } from "../../../schemas/index.ts";

/** Combines the baseline findings of several reports; empty if none of them had a baseline. */
export function mergeBaselines(reports: readonly Report[]): { baseline?: BaselineReport } {
  const baselines = reports.flatMap(({ baseline }) => baseline ?? []);
  const [first] = baselines;
  if (first === undefined) return {};
  const findings = new Map(
    baselines
      .flatMap((baselineReport) => baselineReport.findings)
      .map((baselineFinding) => [JSON.stringify(baselineFinding), baselineFinding]),
  );
  const knownCount = baselines.reduce((sum, baselineReport) => sum + baselineReport.known, 0);
  return { baseline: { file: first.file, known: knownCount, findings: [...findings.values()] } };
}
