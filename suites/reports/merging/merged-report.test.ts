import { expect, it } from "vitest";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { combine } from "./merged-report.ts";

it("the duration counts parallel runs once, and leaves out gaps", () => {
  const reportAt = (started: string, durationMs: number) => reportOf([result({ id: "v" })], { started, durationMs });
  const [first, parallel, overlapping, later] = [
    reportAt("2026-01-15T09:30:00.000Z", 10_000),
    reportAt("2026-01-15T09:30:02.000Z", 3_000),
    reportAt("2026-01-15T09:30:08.000Z", 5_000),
    reportAt("2026-01-16T09:30:00.000Z", 2_000),
  ];
  expect(combine([later, overlapping, first, parallel]).durationMs).toBe(15_000);
});
