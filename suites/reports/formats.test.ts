import { describe, expect, it } from "vitest";
import { reportOf, result, rules, violatedResult } from "../results/sample.fixture.ts";
import { formats } from "./index.ts";

const results = Array.from({ length: 10_000 }, (_, index) =>
  index % 2 === 0 ? violatedResult(`v${index}`, { rule: `S-${index % 100}` }) : result({ id: `v${index}` }),
);

describe.each(formats)("$name", ({ render }) => {
  it("renders the same text for the same report, and does not modify the report", () => {
    const report = reportOf([violatedResult("v"), result({ id: "w" })]);
    const originalReport = structuredClone(report);
    expect(render(report, { rules })).toBe(render(structuredClone(report), { rules }));
    expect(report).toEqual(originalReport);
  });

  it("renders a report without runs", () => {
    const report = reportOf([], { runs: [], complete: false, exitCode: 3, command: "" });
    expect(render(report, { rules })).toMatch(/\n$/);
  });

  it("renders ten thousand results", () => {
    expect(render(reportOf(results), { rules })).toMatch(/\n$/);
  });
});

it("renders JSON that parses back to the report", () => {
  const report = reportOf([violatedResult("v")]);
  const json = formats.find(({ name }) => name === "json");
  expect(JSON.parse(json?.render(report, { rules }) ?? "")).toEqual(report);
});
