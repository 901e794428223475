import { describe, expect, it } from "vitest";
import { currentId, formerIds } from "./former-ids.ts";

describe("former ids of vectors", () => {
  const former = Object.entries(formerIds());

  it("map to current ids", () => {
    expect(former.length).toBeGreaterThan(0);
    for (const [old, today] of former) expect(currentId(old)).toBe(today);
  });

  it("are not current ids, and map to one in a single step", () => {
    const today = new Set(former.map(([, id]) => id));
    expect(former.filter(([old]) => today.has(old))).toEqual([]);
  });

  it("leave all other texts unchanged", () => {
    for (const text of ["", "AHCP-ENV-001", "mine/1/order/valid/minimal", "ahcp/0.3/message/**"])
      expect(currentId(text)).toBe(text);
  });
});
