import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { type Draft, Drafts } from "./draft.ts";

const draft = (data: Json): Draft => ({
  data,
  name: ["a"],
  at: "",
  says: "",
  tags: [],
  features: [],
  uniqueFeatures: [],
});

describe("applyChanges", () => {
  it("replaces, adds and removes values, and does not change the parent", () => {
    const parent = { a: [1, 2], b: { c: 1 } };
    expect(applyChanges(parent, [{ op: "replace", path: "/b/c", value: 2 }])).toEqual({ a: [1, 2], b: { c: 2 } });
    expect(applyChanges(parent, [{ op: "add", path: "/a/-", value: 3 }])).toEqual({ a: [1, 2, 3], b: { c: 1 } });
    expect(applyChanges(parent, [{ op: "remove", path: "/b" }])).toEqual({ a: [1, 2] });
    expect(applyChanges(parent, [{ op: "replace", path: "", value: null }])).toBeNull();
    expect(parent).toEqual({ a: [1, 2], b: { c: 1 } });
  });

  it.each([
    ["an absent member", "/x"],
    ["an item beyond the last", "/a/7"],
    ["a part of a string", "/t/0"],
    ["a part of an absent member", "/x/y"],
  ])("returns undefined for the removal of %s", (_what, path) => {
    expect(applyChanges({ a: [1], t: "text" }, [{ op: "remove", path }])).toBeUndefined();
  });

  it.each<[string, Json, Json]>([
    ["members and items", { a: [1, 2, 3], b: { c: 1 } }, { a: [1, 3], b: { d: 1 }, "e/f~g": null }],
    ["another type", [1], { 0: 1 }],
    ["equal values", { a: 1 }, { a: 1 }],
    ["strings", "a", "b"],
  ])("applies the result of changeBetween: %s", (_what, before, after) => {
    expect(applyChanges(before, changeBetween(before, after))).toEqual(after);
  });
});

describe("Drafts", () => {
  it("keep each instance once, regardless of the order of its members, and return the stored draft", () => {
    const drafts = new Drafts();
    const first = draft({ a: 1, b: [{ c: 1, d: 2 }] });
    expect(drafts.add(first)).toBe(first);
    expect(drafts.add(draft({ b: [{ d: 2, c: 1 }], a: 1 }))).toBe(first);
    expect(drafts.add(draft({ a: 1, b: [{ c: 1, d: "2" }] }))).not.toBe(first);
    expect(drafts.all).toHaveLength(2);
    expect([drafts.has({ b: [{ d: 2, c: 1 }], a: 1 }), drafts.has({ a: 1 })]).toEqual([true, false]);
  });
});
