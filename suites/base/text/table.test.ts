import { describe, expect, it } from "vitest";
import { formatRows } from "./table.ts";
import { measureWidth } from "./width.ts";

const rows = [
  { rule: "AHCP-ENV-001", vectors: 12, about: "a short one" },
  { rule: "AHCP-ENV-002", vectors: 1204, about: `${"字".repeat(40)} and more text that nobody needs` },
];

describe("formatRows", () => {
  it("aligns by terminal columns, not by characters", () => {
    const text = formatRows([
      { name: "日本", count: 1 },
      { name: "abcd", count: 22 },
    ]);
    expect(text).toBe("name  count\n日本      1\nabcd     22");
  });

  it("cuts wide cells to fit a terminal, but does not cut numbers", () => {
    const lines = formatRows(rows, 60).split("\n");
    for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(60);
    expect(lines[2]).toMatch(/^AHCP-ENV-002 {5}1204 {2}字+…$/);
    expect(lines[1]).toMatch(/a short one$/);
  });

  it("does not cut anything without a terminal, and does not drop a column if the terminal is too narrow", () => {
    expect(formatRows(rows)).toContain("nobody needs");
    expect(formatRows(rows, 10).split("\n")[2]).toMatch(/^AHCP-EN… {5}1204 {2}字字字…$/);
    expect(formatRows(rows, 32).split("\n")[2]).toMatch(/^AHCP-ENV-002 {5}1204 {2}/);
  });
});
