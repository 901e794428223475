import { expect, it } from "vitest";
import { reportOf, result, violatedResult } from "../../results/sample.fixture.ts";
import { gatherResults } from "./live-results.ts";

const [conforming, violation] = [
  result({ id: "sample/1.0/note/valid/a" }),
  violatedResult("sample/1.0/note/invalid/b"),
];
const wholeReport = reportOf([conforming, violation]);
const plan = {
  tool: wholeReport.tool,
  started: wholeReport.started,
  command: wholeReport.command,
  runs: wholeReport.runs.map(({ counts: _, results: __, ...head }) => head),
};

it("reports the results so far, and increases the revision with every change", () => {
  const liveResults = gatherResults({ started: wholeReport.started, command: "" });
  expect(liveResults.report()).toMatchObject({ complete: false, runs: [] });
  liveResults.onStart(plan);
  // Results arrive in any order, and are listed in the order of the plan.
  liveResults.onProgress({ run: 0, index: 1, result: violation, done: 1, total: 2 });
  expect(liveResults.report().runs[0]?.results).toEqual([violation]);
  liveResults.onProgress({ run: 0, index: 0, result: conforming, done: 2, total: 2 });
  expect(liveResults.report().runs[0]?.results).toEqual([conforming, violation]);
  expect(liveResults.report()).toMatchObject({ complete: false, counts: { conforms: 1, violates: 1 } });
  expect(liveResults.state()).toEqual({ revision: 3, done: 2, total: 2, isRunning: true });
});

it("replaces the result of a vector that is run again, and recomputes counts and exit code", () => {
  const liveResults = gatherResults({ started: wholeReport.started, command: "" });
  liveResults.onStart(plan);
  expect(liveResults.renewed([conforming])).toBe(false);
  liveResults.ended(wholeReport);
  const fixedResult = { ...violation, outcome: "conforms" as const };
  expect(liveResults.renewed([fixedResult])).toBe(true);
  expect(liveResults.report()).toMatchObject({ exitCode: 0, counts: { conforms: 2, violates: 0 } });
  expect(liveResults.report().runs[0]?.results).toEqual([conforming, fixedResult]);
  expect(liveResults.renewed([result({ id: "sample/1.0/note/valid/unknown" })])).toBe(false);
  expect(liveResults.report().runs[0]?.results).toHaveLength(2);
});
