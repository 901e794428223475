import { describe, expect, it } from "vitest";
import { keywords } from "./table.ts";

describe("each keyword", () => {
  const handlers = Object.entries(keywords);

  it.each(handlers)("%s can relocate its subschemas if it has any", (_kind, handler) => {
    expect(handler.relocate !== undefined).toBe(handler.children !== undefined);
    if (handler.passages !== undefined || handler.inPlace) expect(handler.children).toBeDefined();
  });

  it("has at least one reader, and no two handlers read the same keyword", () => {
    const names = handlers.flatMap(([, { readers }]) => Object.keys(readers));
    expect(new Set(names).size).toBe(names.length);
    for (const [, { readers }] of handlers) expect(Object.keys(readers)).not.toEqual([]);
  });
});
