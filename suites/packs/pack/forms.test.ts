import { describe, expect, it } from "vitest";
import type { CheckEntry, Json } from "../../../schemas/index.ts";
import { formCheck } from "./forms.ts";

function breaches(entry: CheckEntry, instance: Json): string[] {
  const check = formCheck(entry, (source) => new RegExp(source, "u"));
  return [...check(instance)].map(({ at, why, level = "" }) => `${at} ${why}${level}`);
}

describe("a check without code", () => {
  it.each<[form: string, entry: CheckEntry, valid: Json, invalid: Json, messages: string[]]>([
    ["equal", { equal: { "/a": "/b" } }, { a: 1, b: 1.0 }, { a: "x", b: "y" }, ['/a is "x" instead of "y"']],
    ["differs", { differs: { "/a": "/b" } }, { a: 1, b: 2 }, { a: [1], b: [1] }, ["/a is a list of 1, as /b is"]],
    ["atMost", { atMost: { "/a": "/b" } }, { a: 2, b: 2.0 }, { a: 3, b: 2 }, ["/a is 3, more than 2 at /b"]],
    [
      "atMost of instants, and of values that cannot be compared",
      { atMost: { "/a": "/b", "/c": "/d" } },
      { a: "2026-01-01T00:00:00+01:00", b: "2026-01-01T00:00:00Z", c: "3", d: 2 },
      { a: "2026-01-01T00:00:00Z", b: "2026-01-01T00:00:00+01:00", c: "x", d: "a" },
      ['/a is "2026-01-01T00:00:00Z", more than "2026-01-01T00:00:00+01:00" at /b'],
    ],
    ["oneOf with values", { oneOf: { "/a": ["x", 1] } }, { a: 1 }, { a: "1" }, ['/a is "1", not one of "x", 1']],
    [
      "oneOf with a place",
      { oneOf: { "/used": "/all/*" } },
      { used: "b", all: ["a", "b"] },
      { used: "c", all: ["a"] },
      ['/used is "c", not one of "a"'],
    ],
    [
      "oneOf with a table",
      { oneOf: { "/end": { by: "/type", values: { ask: ["answered"], task: ["done"] } } } },
      { type: "ask", end: "answered" },
      { type: "task", end: "answered" },
      ['/end is "answered", not one of "done", where /type is task'],
    ],
    ["noneOf", { noneOf: { "/names/*": ["hub"] } }, { names: ["a"] }, { names: ["a", "hub"] }, ['/names/1 is "hub"']],
    [
      "matches",
      { matches: { "/a~1b": "^x" } },
      { "a/b": "xy" },
      { "a/b": "y" },
      ['/a~1b is "y", which does not match ^x'],
    ],
    ["present", { present: ["/a/b"] }, { a: { b: null } }, { a: {} }, ["/a has no b"]],
    ["absent", { absent: ["/a/b"] }, { a: {} }, { a: { b: null } }, ["/a/b is there"]],
    ["one, if there is none", { one: ["/a", "/b"] }, { a: 1 }, {}, [" has none of a, b"]],
    ["one, if there are two", { one: ["/a", "/b"] }, { b: 1 }, { a: 1, b: 1 }, [" has a and b at once"]],
    [
      "unique within each list",
      { unique: ["/l/*/m/*/id"] },
      { l: [{ m: [{ id: 1 }] }, { m: [{ id: 1 }] }] },
      { l: [{ m: [{ id: { x: 1, y: 2 } }, { id: { y: 2, x: 1 } }] }] },
      ["/l/0/m/1/id repeats an object"],
    ],
    [
      "the same item in all places",
      { when: { oneOf: { "/l/*/kind": ["text"] } }, absent: ["/l/*/data"] },
      { l: [{ kind: "text" }, { kind: "data", data: 1 }] },
      { l: [{ kind: "text", data: 1 }, { kind: "data" }] },
      ["/l/0/data is there"],
    ],
    [
      "a condition on some item",
      { when: { oneOf: { "/levels/*": [2, 3] } }, present: ["/reply"] },
      { levels: [1] },
      { levels: [1, 3] },
      [" has no reply"],
    ],
    [
      "a noneOf condition on an absent member",
      { when: { noneOf: { "/replay": [true] } }, oneOf: { "/status": ["open"] } },
      { replay: true, status: "x" },
      { status: "x" },
      ['/status is "x", not one of "open"'],
    ],
    [
      "its own place, message and level",
      { equal: { "/l/*/a": "/b" }, at: "/l/*", why: "has {{value}} for {{other}}", level: "SHOULD" },
      { b: 1, l: [{ a: 1 }] },
      { b: 1, l: [{ a: 1 }, { a: 2 }] },
      ["/l/1 has 2 for 1SHOULD"],
    ],
  ])("with %s finds only the breaches", (_form, entry, validInstance, invalidInstance, messages) => {
    expect(breaches(entry, validInstance)).toEqual([]);
    expect(breaches(entry, invalidInstance)).toEqual(messages);
  });

  it.each<Json>([null, 1, "text", [], [null], {}, { a: { a: [] }, b: "x" }])("finds no breach in %j", (instance) => {
    const entry: CheckEntry = {
      equal: { "/a/b": "/c" },
      matches: { "/b/c": "x" },
      unique: ["/b/*"],
      oneOf: { "/c": [1] },
    };
    expect(breaches(entry, instance)).toEqual([]);
  });

  it("reads only own members of an object", () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(breaches({ present: [`/${name}`] }, {})).toEqual([` has no ${name}`]);
      expect(breaches({ absent: [`/${name}`, `/list/${name}`, "/list/length"] }, { list: [] })).toEqual([]);
      const table = { oneOf: { "/a": { by: "/type", values: { ask: ["x"] } } } };
      expect(breaches(table, { type: name, a: "y" })).toEqual([]);
    }
    const withOwnProto = JSON.parse('{ "__proto__": 1, "b": 2 }') as Json;
    expect(breaches({ equal: { "/__proto__": "/b" } }, withOwnProto)).toEqual(["/__proto__ is 1 instead of 2"]);
    expect(breaches({ oneOf: { "/*/a": [1] } }, { "*": { a: 2 }, b: { a: 1 } })).toEqual(["/*/a is 2, not one of 1"]);
  });

  it("stops at the limit of steps", () => {
    const check = formCheck({ noneOf: { "/*": [1] } }, (source) => new RegExp(source, "u"), 1000);
    expect([...check(Array<Json>(999).fill(0))]).toEqual([]);
    expect(() => [...check(Array<Json>(1000).fill(0))]).toThrow(/needs more than 1000 steps/);
  });
});
