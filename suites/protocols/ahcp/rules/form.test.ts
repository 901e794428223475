import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { fitsForm, isSchema } from "./form.ts";
import { checkers } from "./index.ts";
import { askWith, form, input } from "./messages.fixture.ts";

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe("a form", () => {
  it.each<[string, JsonObject, Json, boolean]>([
    ["a definition of its own", { $ref: "#/$defs/a", $defs: { a: { required: ["x"] } } }, {}, false],
    ["an escaped reference", { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { required: ["x"] } } }, { x: 1 }, true],
    [
      "the name of a different dialect",
      { $schema: "http://json-schema.org/draft-04/schema#", required: ["x"] },
      {},
      false,
    ],
    ["an identifier", { $id: "https://other.example/form", required: ["x"] }, {}, false],
    ["a keyword of a specific validator", { $async: true, required: ["x"] }, {}, false],
    ["a format, which is only an annotation", form({ a: { type: "string", format: "email" } }), { a: "nobody" }, true],
    ["a required name that objects inherit", { required: ["toString"] }, {}, false],
  ])("is applied if it has %s", (_, schema, value, expected) => expect(fitsForm(schema)(value)).toBe(expected));

  it("asserts formats only on request", () => {
    const schema = form({ a: { type: "string", format: "email" } });
    expect([fitsForm(schema, "asserting")({ a: "nobody" }), fitsForm(schema)({ a: "nobody" })]).toEqual([false, true]);
  });

  it("is compiled again after a change of the same object", () => {
    const schema: JsonObject = { required: ["x"] };
    expect(fitsForm(schema)({})).toBe(false);
    schema.required = [];
    expect(fitsForm(schema)({})).toBe(true);
  });

  it("is not a schema if a keyword has an invalid value", () => {
    expect(isSchema({ type: "strin" })).toBe(false);
    expect(isSchema({ properties: { a: { minLength: -1 } } })).toBe(false);
    expect(isSchema({ "x-anything": { type: 5 } })).toBe(true);
  });
});

const doublingForm: JsonObject = {
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    [...Array(40).keys()].map((level): [string, JsonObject] => [
      `d${level}`,
      { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  ),
};
(doublingForm.$defs as JsonObject).d40 = { required: ["x"] };

const deepForm = parse(`${'{"not":'.repeat(9000)}{}${"}".repeat(9000)}`);

describe("a form that no implementation can apply", () => {
  it.each<[string, JsonObject]>([
    ["doubles at each reference", doublingForm],
    ["refers to itself", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }],
    ["refers to its root", { properties: { a: { $ref: "#" } } }],
    ["refers to a different host", { $ref: "https://other.example/form" }],
    ["refers to a missing schema", { $ref: "#/$defs/none" }],
    ["is nested too deeply", deepForm],
    ["has an invalid pattern", form({ a: { pattern: "(" } })],
    ["has a pattern with catastrophic backtracking", form({ a: { type: "string", pattern: "^(a+)+$" } })],
    ["contains a lone surrogate", form({ "\ud800": {} })],
  ])("is not judged if it %s", (_, schema) => {
    const value = { a: `${"a".repeat(60)}!` };
    expect(fitsForm(schema)(value)).toBeUndefined();
    const message = askWith(input, { schema, default_on_expire: value });
    for (const { rule, check } of checkers)
      if (rule === "AHCP-ASK-011") expect([...(check?.(message, "message") ?? [])]).toEqual([]);
  });
});
