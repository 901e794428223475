import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { result, violatedResult } from "../../results/sample.fixture.ts";
import { endingOf } from "./early-end.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("ends a run at its deadline, and not before", () => {
  const output: string[] = [];
  const end = endingOf({ deadline: 60 }, { failOn: undefined, isKnown: undefined }, (line) => output.push(line));
  vi.advanceTimersByTime(59_999);
  expect(end.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(end.signal.aborted).toBe(true);
  expect(output).toEqual(["touchstone: the deadline of 60 s is over (--deadline), ending with the results so far\n"]);
  const unlimited = endingOf({ deadline: 60 }, { failOn: undefined, isKnown: undefined });
  unlimited.close();
  vi.advanceTimersByTime(60_000);
  expect(unlimited.signal.aborted).toBe(false);
});

it("ends a run after --max-failures failures that the baseline does not list", () => {
  const isKnown = ({ id }: { id: string }): boolean => id === "known";
  const end = endingOf({ maxFailures: 2 }, { failOn: undefined, isKnown }, () => {});
  for (const each of [violatedResult("a"), violatedResult("known"), result({ id: "b" })]) end.count(each);
  expect(end.signal.aborted).toBe(false);
  end.count(result({ id: "c", outcome: "errored", stage: "answer", why: "HTTP 500" }));
  expect(end.signal.aborted).toBe(true);
});
