import { describe, expect, it } from "vitest";
import type { Change, Json } from "../../schemas/index.ts";
import { applyChanges } from "./patch.ts";

const parent = JSON.parse('{"a":[{"b":1},{"b":2}],"~/":{"c":[1,2,3]},"__proto__":{"d":1}}') as Json;
const before = JSON.stringify(parent);

describe("applyChanges", () => {
  it.each<[name: string, Change[], string]>([
    ["adds a member", [{ op: "add", path: "/e", value: 1 }], before.replace(/}$/, ',"e":1}')],
    ["inserts an item", [{ op: "add", path: "/a/1", value: 0 }], before.replace('{"b":2}', '0,{"b":2}')],
    ["appends an item", [{ op: "add", path: "/a/-", value: 0 }], before.replace('{"b":2}', '{"b":2},0')],
    [
      "replaces below escaped names",
      [{ op: "replace", path: "/~0~1/c/1", value: 9 }],
      before.replace("1,2,3", "1,9,3"),
    ],
    ["removes an item", [{ op: "remove", path: "/~0~1/c/0" }], before.replace("1,2,3", "2,3")],
    [
      "reaches a member named __proto__",
      [{ op: "replace", path: "/__proto__/d", value: 2 }],
      before.replace('"d":1', '"d":2'),
    ],
    [
      "adds a member named __proto__",
      [
        { op: "replace", path: "", value: {} },
        { op: "add", path: "/__proto__", value: 1 },
      ],
      '{"__proto__":1}',
    ],
    [
      "applies each change to the result of the one before",
      [
        { op: "remove", path: "/a/0" },
        { op: "replace", path: "/a/0/b", value: 3 },
      ],
      before.replace('{"b":1},{"b":2}', '{"b":3}'),
    ],
  ])("%s, and does not change the parent", (_name, changes, expected) => {
    expect(JSON.stringify(applyChanges(parent, changes))).toBe(expected);
    expect(JSON.stringify(parent)).toBe(before);
  });

  it.each<[name: string, Change[]]>([
    ["replaces a missing member", [{ op: "replace", path: "/x", value: 1 }]],
    ["removes a missing item", [{ op: "remove", path: "/a/2" }]],
    ["adds below a missing member", [{ op: "add", path: "/x/y", value: 1 }]],
    ["adds beyond the end of a list", [{ op: "add", path: "/a/3", value: 1 }]],
    ["adds inside of a number", [{ op: "add", path: "/a/0/b/c", value: 1 }]],
    ["replaces an inherited member", [{ op: "replace", path: "/toString", value: 1 }]],
    ["removes everything", [{ op: "remove", path: "" }]],
    ["moves a member", [{ op: "move", from: "/a", path: "/e" } as unknown as Change]],
  ])("does not apply if it %s", (_name, changes) => {
    expect(applyChanges(parent, changes)).toBeUndefined();
    expect(JSON.stringify(parent)).toBe(before);
  });
});
