import { describe, expect, it } from "vitest";
import { fitsReduced, isKillable } from "./guarded-run.ts";

const reducible = { canReduce: true, isUnwritten: false, reducedTime: 2000, timeLeft: 900 };

describe("work that hangs", () => {
  it("is stopped before the deadline if reduced work can finish in time", () => {
    expect(isKillable(reducible)).toBe(true);
    expect(fitsReduced(reducible)).toBe(true);
  });

  it.each([
    ["the time of reduced work is not known yet", undefined],
    ["reduced work would end long after the deadline", 4000],
  ])("continues until the deadline, and is not followed by reduced work, if %s", (_, reducedTime) => {
    const state = { ...reducible, reducedTime };
    expect(isKillable(state)).toBe(false);
    expect(isKillable({ ...state, timeLeft: 0 })).toBe(true);
    expect(fitsReduced({ ...state, timeLeft: 0 })).toBe(false);
  });

  it("is stopped immediately if it cannot be reduced, unless its first results are not yet written", () => {
    const state = { ...reducible, canReduce: false, reducedTime: undefined };
    expect(isKillable(state)).toBe(true);
    expect(isKillable({ ...state, isUnwritten: true })).toBe(false);
  });
});
