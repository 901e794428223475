import { describe, expect, it } from "vitest";
import { sequential } from "./documents.fixture.ts";
import { pathOf, unsafeProperty } from "./path.ts";

describe("pathOf", () => {
  it.each([
    ["parent.input.city", { source: "parent", direction: "input", fields: ["city"] }],
    ["a.output.b.[].c", { source: "a", direction: "output", fields: ["b", "[]", "c"] }],
    ["input.input.input", { source: "input", direction: "input", fields: ["input"] }],
    ["_.output._1.[].[]", { source: "_", direction: "output", fields: ["_1", "[]", "[]"] }],
    ["parent.output.x", { source: "parent", direction: "output", fields: ["x"] }],
  ])("parses %s", (text, path) => expect(pathOf(text)).toEqual(path));

  it.each([
    "",
    "parent",
    "parent.input",
    "parent.input.",
    ".input.x",
    "parent..x",
    "parent.input.[]",
    "items[].v",
    "parent.input.items[].v",
    "parent.input.items.[0]",
    "parent.input.a-b",
    "$.x",
    "{{parent.input.x}}",
    "x\n",
    "parent.input.x\n",
    " parent.input.x",
    "parent.INPUT.x",
    "1a.input.x",
    "parent.input.1",
    "parent.inputs.x",
    "parent.input.x.[].",
    "parent.input.x.[]y",
    "ａ.input.x",
    "parent.input.[].x",
  ])("returns undefined for %j", (text) => expect(pathOf(text)).toBeUndefined());

  it("parses long strings in linear time", () => {
    const longPath = `parent.input.${"a.".repeat(100_000)}`;
    expect(pathOf(longPath)).toBeUndefined();
    expect(pathOf(`${longPath}a`)?.fields).toHaveLength(100_001);
  });
});

describe("unsafeProperty", () => {
  const agent = {
    ...sequential(),
    interface: {
      input: {
        properties: {
          "my-field": { properties: { "in it": {}, plain: {} } },
          list: { items: { properties: { "2nd": {} } } },
        },
      },
      output: {},
    },
  };

  it.each([
    ["parent.input.my-field", "my-field"],
    ["parent.input.my-field.plain", "my-field"],
    ["parent.input.my-field.in it", "my-field"],
    ["parent.input.list.[].2nd", "2nd"],
  ])("in %s, finds the declared property %s", (text, name) => expect(unsafeProperty(agent, text)).toBe(name));

  it.each([
    "parent.input.other-field",
    "parent.output.my-field",
    "a.output.my-field",
    "parent.input",
    "parent.input.",
    "parent.input.list.[]",
    "parent.input.my-field.not it",
    "parent.input.list.2nd",
    "parent.input.[].2nd",
    "my-field",
  ])("returns undefined for %j", (text) => expect(unsafeProperty(agent, text)).toBeUndefined());
});
