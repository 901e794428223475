import { expect, it } from "vitest";
import { nearerTime } from "./nearer.ts";

it.each<[text: string, pattern: RegExp, nearer: string]>([
  ["0000-00-00 00:00:00Z", /^.{10} .*Z$/, "2026-01-15 10:31:20Z"],
  ["0000-00-00T0:00:00Z", /^.{10}T\d:..:..Z$/, "2026-01-15T0:31:20Z"],
  ["0000-00-00T00:00:00+01:00", /^.{10}T.{8}\+01:00$/, "2026-01-15T10:31:20+01:00"],
  ["0000-00-00T00:00:00Z", /^0000-00-/, "0000-00-15T10:31:20Z"],
])("%s has as much of a right time as it may have", (text, pattern, nearer) => {
  expect(nearerTime(text, "2026-01-15T10:31:20Z", (each) => pattern.test(each))).toBe(nearer);
});

it("stays as it is where there is no right time", () => {
  expect(nearerTime("a", "b", () => true)).toBe("a");
  expect(nearerTime("a", undefined, () => true)).toBe("a");
});
