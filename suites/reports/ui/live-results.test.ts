import { expect, it } from "vitest";
import { reportOf, result, violatedResult } from "../../results/sample.fixture.ts";
import { gatherResults } from "./live-results.ts";

const [one, two] = [result({ id: "sample/1.0/note/valid/a" }), violatedResult("sample/1.0/note/invalid/b")];
const whole = reportOf([one, two]);
const plan = {
  tool: whole.tool,
  started: whole.started,
  command: whole.command,
  runs: whole.runs.map(({ counts: _, results: __, ...head }) => head),
};

it("is a report of the results so far, and counts every change", () => {
  const gathered = gatherResults({ started: whole.started, command: "" });
  expect(gathered.report()).toMatchObject({ complete: false, runs: [] });
  gathered.onStart(plan);
  // Results come in any order, and are listed in that of the plan.
  gathered.onProgress({ run: 0, index: 1, result: two, done: 1, total: 2 });
  expect(gathered.report().runs[0]?.results).toEqual([two]);
  gathered.onProgress({ run: 0, index: 0, result: one, done: 2, total: 2 });
  expect(gathered.report().runs[0]?.results).toEqual([one, two]);
  expect(gathered.report()).toMatchObject({ complete: false, counts: { conforms: 1, violates: 1 } });
  expect(gathered.state()).toEqual({ revision: 3, done: 2, total: 2, isRunning: true });
});

it("replaces a result that is run again, and recomputes everything that depends on it", () => {
  const gathered = gatherResults({ started: whole.started, command: "" });
  gathered.onStart(plan);
  expect(gathered.renewed([one])).toBe(false);
  gathered.ended(whole);
  const fixed = { ...two, outcome: "conforms" as const };
  expect(gathered.renewed([fixed])).toBe(true);
  expect(gathered.report()).toMatchObject({ exitCode: 0, counts: { conforms: 2, violates: 0 } });
  expect(gathered.report().runs[0]?.results).toEqual([one, fixed]);
  expect(gathered.renewed([result({ id: "sample/1.0/note/valid/unknown" })])).toBe(false);
  expect(gathered.report().runs[0]?.results).toHaveLength(2);
});
