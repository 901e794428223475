import { describe, expect, it } from "vitest";
import { keywords } from "./table.ts";

describe("each keyword", () => {
  const all = Object.entries(keywords);

  it.each(all)("%s can be moved if it looks into schemas, and leads only to such", (_kind, handler) => {
    expect(handler.moved !== undefined).toBe(handler.children !== undefined);
    if (handler.passages !== undefined || handler.inPlace) expect(handler.children).toBeDefined();
  });

  it("is read from some keyword that Hyperjump compiles, and no two from the same", () => {
    const names = all.flatMap(([, { reads }]) => Object.keys(reads));
    expect(new Set(names).size).toBe(names.length);
    for (const [, { reads }] of all) expect(Object.keys(reads)).not.toEqual([]);
  });
});
