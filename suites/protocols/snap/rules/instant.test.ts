import { describe, expect, it } from "vitest";
import { whyNoInstant } from "./instant.ts";

describe("whyNoInstant", () => {
  it.each([
    ["2026-01-15T12:00:04Z", undefined],
    ["2026-01-15T12:00:04.5+05:30", undefined],
    ["2000-02-29T00:00:00Z", undefined],
    ["1900-02-29T00:00:00Z", "day 29"],
    ["2100-02-29T00:00:00Z", "day 29"],
    ["2028-02-29T00:00:00-23:59", undefined],
    ["2027-02-29T00:00:00Z", "day 29"],
    ["2026-06-31T00:00:00Z", "day 31"],
    ["2026-09-31T00:00:00Z", "day 31"],
    ["2026-11-31T00:00:00Z", "day 31"],
    ["2026-08-31T00:00:00Z", undefined],
    ["2026-00-10T00:00:00Z", "month 00"],
    ["2026-13-10T00:00:00Z", "month 13"],
    ["2026-12-00T00:00:00Z", "day 00"],
    ["2026-12-31T23:59:59Z", undefined],
    ["2026-12-31T24:00:00.000Z", undefined],
    ["2026-12-31T24:00:00.001Z", "hour 24"],
    ["2026-12-31T24:01:00Z", "hour 24"],
    ["2026-12-31T25:00:00Z", "hour 25"],
    ["2026-12-31T12:60:00Z", "minute 60"],
    ["2026-12-31T23:59:60Z", undefined],
    ["2026-12-31T18:59:60-05:00", undefined],
    ["2027-01-01T05:29:60+05:30", undefined],
    ["2026-12-31T23:59:60+01:00", "second 60"],
    ["2026-12-31T12:00:60Z", "second 60"],
    ["2026-12-31T23:59:61Z", "second 61"],
    ["2026-12-31T12:00:00+24:00", "offset"],
    ["2026-12-31T12:00:00-00:60", "offset"],
  ])("returns for %s: %s", (text, why) => {
    if (why === undefined) expect(whyNoInstant(text)).toBeUndefined();
    else expect(whyNoInstant(text)).toContain(why);
  });

  it.each(["", "tomorrow", "2026-01-15", "2026-01-15t12:00:00z", "2026-01-15T12:00:00", "2026-01-15T12:00:00Z\n"])(
    "does not judge %j, which the schema refuses",
    (text) => expect(whyNoInstant(text)).toBeUndefined(),
  );
});
