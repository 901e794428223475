import { describe, expect, it } from "vitest";
import { formatHolds, isAsserted } from "./check.ts";
import { formats, type Sample } from "./table.ts";

const rows = Object.entries(formats).flatMap(([format, samples]) =>
  (["valid", "invalid"] as const).flatMap((verdict) =>
    (samples?.[verdict] ?? []).map((sample: Sample) => ({ format, verdict, ...sample })),
  ),
);

describe("the table of formats", () => {
  it("never contradicts the common verdict of all implementations", () => {
    const contradictions = rows.filter(
      ({ format, verdict, value }) => formatHolds(format, value) === (verdict === "invalid"),
    );
    expect(contradictions).toEqual([]);
  });

  it("contains only these rows on which implementations differ", () => {
    const doubtful = rows.filter(({ format, value }) => formatHolds(format, value) === undefined);
    expect(doubtful.map(({ format, verdict, name }) => `${format}: ${name} (${verdict})`)).toMatchInlineSnapshot(`
      [
        "date-time: offset-without-colon (invalid)",
        "date-time: hours-only-offset (invalid)",
        "date-time: space-for-t (invalid)",
        "uri: port-in-letters (invalid)",
      ]
    `);
  });

  it("has a distinct name and value, and a clause, for each row of a format", () => {
    for (const format of Object.keys(formats)) {
      const formatRows = rows.filter((row) => row.format === format);
      expect(formatRows.every(({ name, clause }) => name !== "" && clause !== "")).toBe(true);
      for (const part of ["name", "value"] as const)
        expect(new Set(formatRows.map((row) => row[part])).size).toBe(formatRows.length);
    }
  });

  it("has at least one undoubted row of each verdict for each format", () => {
    for (const format of Object.keys(formats))
      for (const verdict of ["valid", "invalid"] as const) {
        const undoubted = rows.filter(
          (row) => row.format === format && row.verdict === verdict && formatHolds(format, row.value) !== undefined,
        );
        expect([format, verdict, undoubted.length > 0]).toEqual([format, verdict, true]);
      }
  });

  it("contains only asserted formats", () => {
    expect(Object.keys(formats).filter((format) => !isAsserted(format))).toEqual([]);
  });
});

describe("formatHolds", () => {
  it("returns true for an unknown format", () => {
    expect([formatHolds("colour", "anything"), isAsserted("colour")]).toEqual([true, false]);
  });

  it("returns undefined if implementations differ", () => {
    expect(formatHolds("date-time", "2026-01-15 09:30:00Z")).toBeUndefined();
  });

  it("returns the verdict of the only implementation of a format", () => {
    expect([formatHolds("idn-hostname", "실례.테스트"), formatHolds("idn-hostname", "〮실례.테스트")]).toEqual([
      true,
      false,
    ]);
  });

  it("does not confuse a format's name with an inherited member", () => {
    expect(["toString", "constructor", "__proto__"].map((format) => formatHolds(format, "a"))).toEqual([
      true,
      true,
      true,
    ]);
  });
});
