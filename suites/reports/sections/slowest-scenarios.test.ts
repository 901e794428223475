import { expect, it } from "vitest";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { ctrf } from "../ctrf.ts";
import { junit } from "../junit.ts";
import { terminal } from "../terminal.ts";

const durations = [1500, 60_250, 400, 2000, 3000, 4000, 5000];
const report = reportOf([
  ...durations.map((durationMs, index) => result({ id: `p/1/scenarios/s${index}/R-1`, kind: "scenario", durationMs })),
  result({ id: "p/1/scenarios/s1/R-2", kind: "scenario" }),
]);

it("the verbose report names the five slowest scenarios", () => {
  const slowestLine = "took longest: s1 60.3 s, s6 5.0 s, s5 4.0 s, s4 3.0 s, s3 2.0 s\n";
  expect(terminal.render(report, { rules: [], verbose: true })).toContain(slowestLine);
  expect(terminal.render(report, { rules: [] })).not.toContain("took longest");
  const quickReport = reportOf([result({ id: "p/1/scenarios/s/R-1", kind: "scenario", durationMs: 999 })]);
  expect(terminal.render(quickReport, { rules: [], verbose: true })).not.toContain("took longest");
});

it("the test formats contain the duration of each scenario once", () => {
  const { tests } = JSON.parse(ctrf.render(report, { rules: [] })).results;
  expect(tests.map(({ duration }: { duration: number }) => duration)).toEqual([...durations, 0]);
  const cases = [...junit.render(report, { rules: [] }).matchAll(/<testcase [^>]*?(?: time="([^"]*)")?\/>/g)];
  expect(cases.map(([, time]) => time)).toEqual([...durations.map((time) => String(time / 1000)), undefined]);
});
