import { expect, it } from "vitest";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { combine } from "./merged-report.ts";

it("computes the duration without counting parallel runs twice, and without gaps", () => {
  const reportAt = (started: string, durationMs: number) => reportOf([result({ id: "v" })], { started, durationMs });
  const [firstReport, parallelReport, overlappingReport, laterReport] = [
    reportAt("2026-01-15T09:30:00.000Z", 10_000),
    reportAt("2026-01-15T09:30:02.000Z", 3_000),
    reportAt("2026-01-15T09:30:08.000Z", 5_000),
    reportAt("2026-01-16T09:30:00.000Z", 2_000),
  ];
  expect(combine([laterReport, overlappingReport, firstReport, parallelReport]).durationMs).toBe(15_000);
});
