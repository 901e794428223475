import { describe, expect, it } from "vitest";
import { check, checkOne, smallestIllegal } from "./index.ts";
import { counter, register, type Small, set } from "./models.fixture.ts";

/** For example `p 0-2 write 1`, `q 1-3 read 1`, and `r 2- write 2` for an operation that never returned. */
function history(...lines: string[]): Small {
  return lines.map((line) => {
    const [, process = "", call, end = "", act = "", value] =
      /^(\w+) ([\d.]+)-([\d.]*) (\w+) (\d+)$/.exec(line) ?? ([] as string[]);
    const operation = { process, input: { do: act, value: act === "write" ? Number(value) : 0 }, call: Number(call) };
    const output = act === "write" ? 0 : Number(value);
    return end === "" ? operation : { ...operation, end: { at: Number(end), output } };
  });
}

describe("a register's history with", () => {
  it.each([
    ["nothing", [], "legal"],
    ["a read of what was written", ["p 0-1 write 1", "q 2-3 read 1"], "legal"],
    ["a stale read", ["p 0-1 write 1", "q 2-3 read 0"], "illegal"],
    ["a read during a write, of either value", ["p 0-9 write 1", "q 1-2 read 0", "r 3-4 read 1"], "legal"],
    ["a read that goes back", ["p 0-9 write 1", "q 1-2 read 1", "r 3-4 read 0"], "illegal"],
    ["two writes at once, read in one order", ["p 0-5 write 1", "q 0-5 write 2", "r 6-7 read 1"], "legal"],
    [
      "two writes at once, read in both orders",
      ["p 0-2 write 1", "q 0-2 write 2", "r 3-4 read 1", "s 3-6 read 2"],
      "illegal",
    ],
    ["a write that never returned, seen", ["p 0- write 1", "q 5-6 read 0", "q 7-8 read 1"], "legal"],
    ["a write that never returned, never seen", ["p 0- write 1", "q 7-8 read 0"], "legal"],
    ["a write that never returned, seen and unseen", ["p 0- write 1", "q 5-6 read 1", "q 7-8 read 0"], "illegal"],
    ["a value read before its write began", ["q 1-2 read 1", "p 3- write 1"], "illegal"],
    ["two operations that touch at one instant", ["p 0-1 write 1", "q 1-2 read 0"], "legal"],
  ])("%s: %j is %s", (_, lines, verdict) => {
    expect(check(register, history(...lines)).verdict).toBe(verdict);
  });
});

it("detects a lost count long after it was lost", () => {
  const counts = Array.from({ length: 40 }, (_, index) => ({
    process: `p${index % 4}`,
    input: { do: "write", value: 0 },
    call: index,
    end: { at: index + 0.5, output: index + 1 },
  }));
  expect(check(counter, counts).verdict).toBe("legal");
  const lateRead = { process: "q", input: { do: "read", value: 0 }, call: 50, end: { at: 51, output: 39 } };
  expect(check(counter, [...counts, lateRead]).verdict).toBe("illegal");
});

it("checks objects separately, and names the object with an illegal history", () => {
  const operation = (value: number, act: string, call: number, output: number): Small[number] => ({
    process: "p",
    input: { do: act, value },
    call,
    end: { at: call + 1, output },
  });
  const legalHistory = [operation(1, "write", 0, 0), operation(2, "write", 2, 0), operation(1, "read", 4, 1)];
  expect(check(set, legalHistory).verdict).toBe("legal");
  expect(check(set, [...legalHistory, operation(2, "read", 6, 0)])).toMatchObject({ verdict: "illegal", part: "2" });
});

it("throws for an operation that ends before it begins", () => {
  expect(() => check(register, history("p 3-1 write 1"))).toThrow(RangeError);
});

describe("the number of steps", () => {
  /** This number of concurrent writes, and a read afterwards. */
  const crowd = (size: number, readValue: number): Small =>
    history(
      ...Array.from({ length: size }, (_, index) => `p${index} 0-9 write ${index + 1}`),
      `q 10-11 read ${readValue}`,
    );

  it("is bounded by the tried states: 2^n, not n!", () => {
    const { verdict, steps } = checkOne(register, crowd(10, 99));
    expect(verdict).toBe("illegal");
    expect(steps).toBeLessThan(10 * 10 * 2 ** 10);
  });

  it("grows linearly if few operations overlap", () => {
    const long = history(
      ...Array.from({ length: 400 }, (_, index) => [
        `p ${4 * index}-${4 * index + 2} write ${index}`,
        `q ${4 * index + 1}-${4 * index + 3} read ${index}`,
      ]).flat(),
    );
    const { verdict, steps } = checkOne(register, long);
    expect(verdict).toBe("legal");
    expect(steps).toBeLessThan(3000);
  });

  it("leaves the verdict undecided if it reaches the limit", () => {
    expect(checkOne(register, crowd(10, 99), 500).verdict).toBe("undecided");
    expect(check(register, crowd(10, 99), 500).verdict).toBe("undecided");
    expect(smallestIllegal(register, crowd(10, 99), 500)).toBeUndefined();
  });
});

describe("the smallest illegal history", () => {
  const least = (...lines: string[]): unknown => smallestIllegal(register, history(...lines))?.operations;

  it("leaves out irrelevant operations", () => {
    const stale = ["p 4-5 write 2", "q 6-7 read 1"];
    expect(least("p 0-1 write 1", "q 0-1 read 1", "r 2-3 read 1", ...stale, "r 8-9 read 2")).toEqual(history(...stale));
  });

  it("never leaves a read without the write that it may have seen", () => {
    const backwards = ["q 1-2 read 1", "r 3-4 read 0"];
    expect(least("p 0-9 write 1", ...backwards)).toEqual(history(...backwards));
    expect(least("p 0-9 write 1", "q 1-2 read 1")).toBeUndefined();
  });

  it("may be a single operation that no state allows", () => {
    expect(least("p 0-9 write 1", "q 1-2 read 7", "r 3-4 read 0")).toEqual(history("q 1-2 read 7"));
  });
});
