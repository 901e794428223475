import { describe, expect, it } from "vitest";
import { currentId, formerIds } from "./former-ids.ts";

describe("former ids of vectors", () => {
  const idPairs = Object.entries(formerIds());

  it("map to current ids", () => {
    expect(idPairs.length).toBeGreaterThan(0);
    for (const [formerId, current] of idPairs) expect(currentId(formerId)).toBe(current);
  });

  it("are not current ids, so that one step leads to the current id", () => {
    const currentIds = new Set(idPairs.map(([, id]) => id));
    expect(idPairs.filter(([formerId]) => currentIds.has(formerId))).toEqual([]);
  });

  it("leave all other strings unchanged", () => {
    for (const text of ["", "AHCP-ENV-001", "mine/1/order/valid/minimal", "ahcp/0.3/message/**"])
      expect(currentId(text)).toBe(text);
  });
});
