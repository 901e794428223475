import { describe, expect, it } from "vitest";
import { instant, timestamp } from "./time.ts";

describe("instant", () => {
  it.each([
    ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00.123456789+02:30", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["2024-02-29T23:59:59.5-12:00", "2024-03-01T11:59:59.500Z"],
  ])("reads the timestamp %s", (text, expected) => {
    expect(timestamp(instant(text) as number)).toBe(expected);
  });

  it("keeps fractions of a millisecond", () => {
    expect(instant("2026-03-01T12:00:00.0005Z")).toBe(Date.parse("2026-03-01T12:00:00Z") + 0.5);
  });

  it.each([
    "",
    "2026-03-01",
    "2026-03-01T12:00:00",
    "2026-03-01T12:00:00+0100",
    "1772366400",
    "2026-03-01T12:00:00Z\n",
  ])("returns undefined for %j", (text) => {
    expect(instant(text)).toBeUndefined();
  });
});
