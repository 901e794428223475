import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { result, violatedResult } from "../../results/sample.fixture.ts";
import { createEarlyEnd } from "./early-end.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("ends a run at its deadline, unless it was closed before", () => {
  const output: string[] = [];
  const ending = createEarlyEnd({ deadline: 60 }, { failOn: undefined, isKnown: undefined }, (line) =>
    output.push(line),
  );
  vi.advanceTimersByTime(59_999);
  expect(ending.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(ending.signal.aborted).toBe(true);
  expect(output).toEqual(["touchstone: the deadline of 60 s is over (--deadline), ending with the results so far\n"]);
  const closedEnding = createEarlyEnd({ deadline: 60 }, { failOn: undefined, isKnown: undefined });
  closedEnding.close();
  vi.advanceTimersByTime(60_000);
  expect(closedEnding.signal.aborted).toBe(false);
});

it("ends a run after --max-failures failures that the baseline does not list", () => {
  const isKnown = ({ id }: { id: string }): boolean => id === "known";
  const ending = createEarlyEnd({ maxFailures: 2 }, { failOn: undefined, isKnown }, () => {});
  for (const runResult of [violatedResult("a"), violatedResult("known"), result({ id: "b" })]) ending.count(runResult);
  expect(ending.signal.aborted).toBe(false);
  ending.count(result({ id: "c", outcome: "errored", stage: "answer", why: "HTTP 500" }));
  expect(ending.signal.aborted).toBe(true);
});
