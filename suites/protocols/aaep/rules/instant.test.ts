import fc from "fast-check";
import { expect, it } from "vitest";
import { isInstant } from "./instant.ts";

it.each([
  "2026-05-24T15:22:11.342+01:00",
  "2026-05-24T15:22:11Z",
  "2026-05-24T15:22:11.342123-00:00",
  "2000-02-29T00:00:00Z",
  "0000-02-29T00:00:00Z",
  "2016-12-31T23:59:60Z",
  "2016-12-31T18:59:60-05:00",
  "2017-01-01T05:29:60+05:30",
  "2026-01-01T00:00:00+23:59",
])("accepts %s", (text) => {
  expect(isInstant(text)).toBe(true);
});

it.each([
  "2026-05-24T15:22:11.3Z",
  "2026-05-24T15:22:11.34Z",
  "2026-05-24T15:22:11.123456789Z",
  "2026-05-24T15:22:11.Z",
  "2026-05-24t15:22:11Z",
  "2026-05-24T15:22:11z",
  "2026-05-24 15:22:11Z",
  "2026-05-24T15:22:11,342Z",
  "2026-05-24T15:22:11",
  "2026-05-24T15:22:11+0100",
  "2026-05-24T15:22:11+01",
  "2026-05-24T15:22:11+24:00",
  "2026-05-24T24:00:00Z",
  "2026-05-24T15:22:60Z",
  "2026-05-24T23:59:61Z",
  "2017-01-01T23:59:60+05:30",
  "2026-02-30T15:22:11Z",
  "1900-02-29T15:22:11Z",
  "2026-13-01T15:22:11Z",
  "2026-00-01T15:22:11Z",
  "2026-04-31T15:22:11Z",
  "2026-05-00T15:22:11Z",
  "2026-05-24T15:60:11Z",
  "2026-05-24T15:22:11+01:60",
  "2026-05-24T15:22:11Z\n",
  "٢٠٢٦-05-24T15:22:11Z",
])("rejects %s", (text) => {
  expect(isInstant(text)).toBe(false);
});

it("accepts every timestamp that JavaScript writes, and rejects every day that does not exist", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      expect(isInstant(date.toISOString())).toBe(true);
    }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1900, max: 2100 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (...parts) => {
        const [year, month, day] = parts.map((part) => String(part).padStart(2, "0")) as [string, string, string];
        const date = new Date(Date.UTC(parts[0], parts[1] - 1, parts[2]));
        const exists = date.getUTCMonth() === parts[1] - 1 && date.getUTCDate() === parts[2];
        expect(isInstant(`${year}-${month}-${day}T00:00:00Z`)).toBe(exists);
      },
    ),
  );
});
