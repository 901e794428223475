import { describe, expect, it } from "vitest";
import { postponeTime, postponeTimesIn } from "./future-times.ts";

describe("postponeTime", () => {
  it.each([
    ["2026-03-02T08:00:00Z", "2126-03-02T08:00:00Z"],
    ["1999-12-31T23:59:59Z", "2199-12-31T23:59:59Z"],
    ["2000-02-29T12:00:00Z", "2400-02-29T12:00:00Z"],
    ["1996-02-29t12:00:00z", "2196-02-29t12:00:00z"],
    ["1900-02-29T12:00:00Z", "2100-02-29T12:00:00Z"],
    ["2100-02-29T12:00:00Z", "2100-02-29T12:00:00Z"],
    ["2000-02-29", "2000-02-29"],
    [3, 3],
  ])("converts %s to %s, and keeps its validity", (value, postponed) => {
    expect(postponeTime(value)).toBe(postponed);
    expect(postponeTimesIn({ at: value })).toBe(JSON.stringify({ at: postponed }));
  });
});
