import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { type Comparison, compareSchemas } from "./compare.ts";

const id = "https://example.org/order";
const draft07 = "http://json-schema.org/draft-07/schema#";
const latest = "https://json-schema.org/draft/2020-12/schema";

function compare(old: JsonObject, newer: JsonObject, isLate?: () => boolean): Promise<Comparison> {
  const version = (schema: JsonObject) => ({ schemas: [{ $schema: latest, $id: id, ...schema }], id });
  return compareSchemas(version(old), version(newer), isLate);
}

/** Lists the parts of each reported difference that a test checks. */
function summarize({ differences }: Comparison): unknown[] {
  return differences.map(({ change, message, asserts }) => [change, message, asserts]);
}

describe("compareSchemas", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["a bound in another form", { type: "integer", minimum: 1 }, { type: "integer", exclusiveMinimum: 0 }],
    [
      "members in another order, and a definition in place of an inline schema",
      { properties: { a: { type: "string" }, b: { enum: [1, 2] } }, required: ["a", "b"] },
      {
        required: ["b", "a"],
        properties: { b: { enum: [2, 1] }, a: { $ref: "#/$defs/text" } },
        $defs: { text: { type: "string" } },
      },
    ],
    ["an equivalent pattern", { pattern: "^(a|b)$" }, { pattern: "^[ab]$" }],
    [
      "a recursive schema under another name",
      { $ref: "#/$defs/n", $defs: { n: { properties: { next: { $ref: "#/$defs/n" }, v: { minimum: 1 } } } } },
      { $ref: "#/$defs/m", $defs: { m: { properties: { v: { minimum: 1 }, next: { $ref: "#/$defs/m" } } } } },
    ],
    [
      "a choice with its branches in another order",
      { oneOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
      { oneOf: [{ type: "null" }, { type: "string", minLength: 1 }] },
    ],
  ])("proves that nothing differs: %s", async (_what, old, newer) => {
    expect(await compare(old, newer)).toEqual({ differences: [], open: {} });
  });

  it("compares two dialects, and versions with the same $id", async () => {
    const [old, newer] = [
      { $schema: draft07, $id: id, items: [{ type: "string" }], additionalItems: false },
      { $schema: latest, $id: id, prefixItems: [{ type: "string" }], items: false },
    ];
    const result = await compareSchemas({ schemas: [old], id }, { schemas: [newer], id });
    expect(result).toEqual({ differences: [], open: {} });
  });

  it("names the members that a present member requires", async () => {
    const old = { type: "object", properties: { a: {}, b: {}, c: {} } };
    const result = await compare(old, { ...old, dependentRequired: { a: ["b", "c"], c: ["b"] } });
    expect(summarize(result)).toContainEqual(["refused", { a: null }, '"b", "c" are required with "a"']);
  });

  it("reports each site once, with the smallest message, and continues after the first", async () => {
    const old = {
      type: "object",
      properties: { a: { type: "string" }, b: { enum: [1, 2, 3] } },
      required: ["a"],
      additionalProperties: false,
    };
    const newer = {
      ...old,
      properties: { a: { type: "string", maxLength: 5 }, b: { enum: [1] }, c: {}, d: { type: "null" } },
      required: ["a", "b"],
    };
    const result = await compare(old, newer);
    expect(summarize(result)).toEqual([
      ["refused", { a: "" }, '"b" is required'],
      ["refused", { a: "aaaaaa" }, "maxLength 5"],
      ["refused", { a: "", b: 2 }, "enum without 2"],
      ["accepted", { a: "", b: 1, c: null }, 'no member "c"'],
    ]);
    expect(result.open).toEqual({});
    expect(
      result.differences.map(({ old: before, new: now }) => [before, now].map((at) => at?.replace(id, ""))),
    ).toEqual([
      ["#/required", "#/required/1"],
      ["#/properties/a", "#/properties/a/maxLength"],
      ["#/properties/b/enum", "#/properties/b/enum"],
      ["#/additionalProperties", "#/additionalProperties"],
    ]);
    expect(result.differences.map(({ others }) => others.length)).toEqual([0, 0, 1, 1]);
  });

  it("finds a difference within a branch, and a removed branch", async () => {
    const branch = (kind: string, members: JsonObject) => ({
      type: "object",
      properties: { kind: { const: kind }, ...members },
      required: ["kind"],
    });
    const old = { oneOf: [branch("a", { x: { type: "number" } }), branch("b", {}), { type: "null" }] };
    const newer = { oneOf: [branch("a", { x: { type: "number", maximum: 5 } }), branch("b", {})] };
    expect(summarize(await compare(old, newer))).toEqual([
      ["refused", null, "oneOf of 2"],
      ["refused", { kind: "a", x: 6 }, "maximum 5"],
    ]);
  });

  it("uses values from samples if they are valid", async () => {
    const schema = (maximum: number) => ({
      $id: id,
      $schema: latest,
      properties: { name: { type: "string", minLength: 3 }, size: { type: "integer", maximum: maximum } },
      required: ["name", "size"],
    });
    const samples = [{ name: "Ada", size: 4, note: "x" }];
    const result = await compareSchemas({ schemas: [schema(9)], id, samples }, { schemas: [schema(5)], id });
    expect(result.differences.map(({ message }) => message)).toEqual([{ name: "Ada", size: 6 }]);
  });

  it("lists the undecided parts when time is up, and does not claim that nothing differs", async () => {
    const version = (maximum: number): JsonObject => ({
      properties: { a: { maximum: maximum }, b: { properties: { c: { maximum: maximum } } } },
    });
    const result = await compare(version(3), version(2), () => true);
    const reason =
      "the time was over (--deadline gives more): 0 of 4 places where the versions differ were searched to the end, not yet the whole, /a, /b, /b/c";
    expect(result).toEqual({ differences: [], open: { refused: reason, accepted: reason } });
  });

  it("reports both directions as open if no search can decide", async () => {
    const result = await compare(
      { type: "string", pattern: "^(a*)b\\1$" },
      { type: "string", pattern: "^(a*)b(\\1)$" },
    );
    expect(result.differences).toEqual([]);
    expect(Object.keys(result.open)).not.toEqual([]);
  });
});
