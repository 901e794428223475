import { describe, expect, it } from "vitest";
import type { Change, Json } from "../../../schemas/index.ts";
import { markChanges } from "./instance.ts";
import type { SchemaPiece } from "./shape.ts";

/** Renders pieces as text, with marked parts in « » and removed parts in ‹ ›. */
function render(data: Json, change: Change[], at?: string, parent?: Json): string {
  const textOf = (piece: SchemaPiece): string => {
    if (typeof piece === "string") return piece;
    return "mark" in piece ? `«${piece.mark}»` : `‹${piece.gone}›`;
  };
  return markChanges(data, change, at, parent).map(textOf).join("");
}

describe("an instance", () => {
  it("is marked if a value was replaced", () => {
    const change: Change[] = [{ op: "replace", path: "/a/0", value: 2 }];
    expect(render({ a: [2], b: true }, change)).toBe('{\n  "a": [\n    «2»\n  ],\n  "b": true\n}');
  });

  it("is marked with the name if a member was added", () => {
    const change: Change[] = [{ op: "add", path: "/b~1c", value: {} }];
    expect(render({ a: 1, "b/c": {} }, change)).toBe('{\n  "a": 1,\n  «"b/c": {}»\n}');
  });

  it("is marked at the end if an item was appended", () => {
    expect(render([1, 1], [{ op: "add", path: "/-", value: 1 }])).toBe("[\n  1,\n  «1»\n]");
  });

  it("shows the names of removed members", () => {
    expect(render({ a: 1 }, [{ op: "remove", path: "/b" }])).toBe('{\n  "a": 1\n  ‹"b" removed›\n}');
    expect(render({}, [{ op: "move", from: "/b", path: "/c" }])).toBe('{\n  ‹"b" removed›\n}');
  });

  it("shows the former value if it is known", () => {
    const replaced: Change[] = [{ op: "replace", path: "/a", value: 2 }];
    expect(render({ a: 2 }, replaced, "", { a: [1] })).toBe('{\n  "a": ‹[1]› «2»\n}');
    expect(render({}, [{ op: "remove", path: "/b" }], "", { b: "\u202e" })).toBe('{\n  ‹"b": "\\u202e"›\n}');
    expect(render([], [{ op: "replace", path: "", value: [] }], "", 7)).toBe("‹7› «[]»");
    // After a removal, later places differ from those before.
    const moved: Change[] = [
      { op: "remove", path: "/0" },
      { op: "replace", path: "/0", value: 3 },
    ];
    expect(render([3], moved, "", [1, 2])).toContain("«3»");
    expect(render([3], moved, "", [1, 2])).not.toContain("‹1›");
  });

  it("is marked as a whole if it was replaced as a whole", () => {
    expect(render([], [{ op: "replace", path: "", value: [] }])).toBe("«[]»");
  });

  it("is marked at the place of the vector if nothing was changed", () => {
    expect(render({ a: 1 }, [], "/a")).toBe('{\n  "a": «1»\n}');
    expect(render({ a: 1 }, [], "")).toBe('{\n  "a": 1\n}');
    expect(render({ a: 1, b: 2 }, [{ op: "replace", path: "/b", value: 2 }], "/a")).toContain('"a": 1,');
  });

  it("shows the change among many items, and the number of hidden items", () => {
    const text = render(Array(1000).fill(0), [{ op: "replace", path: "/900", value: 0 }]);
    expect(text.split("\n")).toHaveLength(64);
    expect(text).toContain("  «0»,\n  … 939 more\n]");
  });

  it("cuts deep and long values, and escapes invisible characters", () => {
    const deep = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`);
    const text = render({ deep, long: "x".repeat(100_000), none: {}, list: [], "\u202e": "\u001b" }, []);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('"none": {},\n  "list": [],\n  "\\u202e": "\\u001b"');
    expect(text).toContain("(99700 more characters)");
  });

  it("joins adjacent unmarked pieces", () => {
    expect(markChanges({ a: 1, b: 2, c: 3 }, [{ op: "replace", path: "/b", value: 2 }])).toEqual([
      '{\n  "a": 1,\n  "b": ',
      { mark: "2" },
      ',\n  "c": 3\n}',
    ]);
  });
});
