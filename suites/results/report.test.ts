import { describe, expect, it } from "vitest";
import { ownSchemas, version } from "../../schemas/index.ts";
import { reportOf } from "./report.ts";
import { reportOf as sample, violatedResult } from "./sample.fixture.ts";

const parts = { started: "2026-01-15T09:30:00.000Z", durationMs: 1, complete: true, command: "" };

describe("a report", () => {
  it("has the counts and the exit code of its runs", () => {
    const { runs } = sample([violatedResult("a"), violatedResult("b", { level: "SHOULD", outcome: "warns" })]);
    const report = reportOf({ ...parts, runs });
    expect(report.counts).toMatchObject({ violates: 1, warns: 1 });
    expect([report.exitCode, report.tool]).toEqual([1, { name: "touchstone", version }]);
    expect(report.$schema).toBe(ownSchemas().report?.$id);
    expect(reportOf({ ...parts, runs: [] }).exitCode).toBe(2);
  });

  it("keeps a given tool, such as an earlier version", () => {
    const tool = { name: "touchstone", version: "0.0.9" } as const;
    expect(reportOf({ ...parts, tool, runs: [] }).tool).toBe(tool);
  });
});
