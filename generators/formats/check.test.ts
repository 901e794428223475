import { expect, it } from "vitest";
import { formatHolds } from "./check.ts";

it.each<[string, string, boolean | undefined]>([
  ["date-time", "2026-01-15T09:30:00Z", true],
  ["date-time", "2026-01-15", false],
  ["date-time", "2026-01-15 09:30:00Z", undefined],
  ["date", "2026-01-15", true],
  ["url", "anything", true],
])("returns the same verdict for a cached string, for each format: %s of %s", (format, text, holds) => {
  for (let attempt = 0; attempt < 3; attempt += 1) expect(formatHolds(format, text)).toBe(holds);
});

it("judges more strings than the cache holds, and strings too long for it", () => {
  const many = Array.from({ length: 12_000 }, (_, index) => `/${index}`);
  expect(many.filter((text) => formatHolds("json-pointer", text) !== true)).toEqual([]);
  expect(formatHolds("json-pointer", `/${"a".repeat(500)}`)).toBe(true);
  expect(formatHolds("json-pointer", "a".repeat(500))).toBe(false);
});
