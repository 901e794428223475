import { describe, expect, it } from "vitest";
import type { Change, Json } from "../../../schemas/index.ts";
import { markChanges } from "./instance.ts";

/** Pieces as text, with marked parts between special brackets. */
function shown(data: Json, change: Change[], about?: string, parent?: Json): string {
  return markChanges(data, change, about, parent)
    .map((piece) => (typeof piece === "string" ? piece : "mark" in piece ? `«${piece.mark}»` : `‹${piece.gone}›`))
    .join("");
}

describe("an instance", () => {
  it("is marked if a value was replaced", () => {
    const change: Change[] = [{ op: "replace", path: "/a/0", value: 2 }];
    expect(shown({ a: [2], b: true }, change)).toBe('{\n  "a": [\n    «2»\n  ],\n  "b": true\n}');
  });

  it("is marked with the name if a member was added", () => {
    const change: Change[] = [{ op: "add", path: "/b~1c", value: {} }];
    expect(shown({ a: 1, "b/c": {} }, change)).toBe('{\n  "a": 1,\n  «"b/c": {}»\n}');
  });

  it("is marked at the end if an item was appended", () => {
    expect(shown([1, 1], [{ op: "add", path: "/-", value: 1 }])).toBe("[\n  1,\n  «1»\n]");
  });

  it("names removed members", () => {
    expect(shown({ a: 1 }, [{ op: "remove", path: "/b" }])).toBe('{\n  "a": 1\n  ‹"b" removed›\n}');
    expect(shown({}, [{ op: "move", from: "/b", path: "/c" }])).toBe('{\n  ‹"b" removed›\n}');
  });

  it("shows the former value, if that is known", () => {
    const replaced: Change[] = [{ op: "replace", path: "/a", value: 2 }];
    expect(shown({ a: 2 }, replaced, "", { a: [1] })).toBe('{\n  "a": ‹[1]› «2»\n}');
    expect(shown({}, [{ op: "remove", path: "/b" }], "", { b: "\u202e" })).toBe('{\n  ‹"b": "\\u202e"›\n}');
    expect(shown([], [{ op: "replace", path: "", value: [] }], "", 7)).toBe("‹7› «[]»");
    // After a removal, later places differ from those before.
    const moved: Change[] = [
      { op: "remove", path: "/0" },
      { op: "replace", path: "/0", value: 3 },
    ];
    expect(shown([3], moved, "", [1, 2])).toContain("«3»");
    expect(shown([3], moved, "", [1, 2])).not.toContain("‹1›");
  });

  it("is marked as a whole if it was replaced as a whole", () => {
    expect(shown([], [{ op: "replace", path: "", value: [] }])).toBe("«[]»");
  });

  it("is marked at the place of the vector if nothing was changed", () => {
    expect(shown({ a: 1 }, [], "/a")).toBe('{\n  "a": «1»\n}');
    expect(shown({ a: 1 }, [], "")).toBe('{\n  "a": 1\n}');
    expect(shown({ a: 1, b: 2 }, [{ op: "replace", path: "/b", value: 2 }], "/a")).toContain('"a": 1,');
  });

  it("shows the change among many items, and how many were left out", () => {
    const text = shown(Array(1000).fill(0), [{ op: "replace", path: "/900", value: 0 }]);
    expect(text.split("\n")).toHaveLength(64);
    expect(text).toContain("  «0»,\n  … 939 more\n]");
  });

  it("handles any depth and length, and hides no character", () => {
    const deep = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`);
    const text = shown({ deep, long: "x".repeat(100_000), none: {}, list: [], "\u202e": "\u001b" }, []);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('"none": {},\n  "list": [],\n  "\\u202e": "\\u001b"');
    expect(text).toContain("(99700 more characters)");
  });

  it("consists of no more pieces than needed", () => {
    expect(markChanges({ a: 1, b: 2, c: 3 }, [{ op: "replace", path: "/b", value: 2 }])).toEqual([
      '{\n  "a": 1,\n  "b": ',
      { mark: "2" },
      ',\n  "c": 3\n}',
    ]);
  });
});
