import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { lint } from "./lint.ts";

const kinds = new Set(["empty-if", "closed-out", "dead-value", "invalid-example"]);
const report = async (schema: JsonObject): Promise<string[]> =>
  lint(await compileModel([document(schema)], id), [document(schema)])
    .filter(({ kind }) => kinds.has(kind))
    .map(({ at, kind, why }) => `${kind} ${at.slice(id.length)} ${why}`);

const text = { type: "string" };

describe("values and conditions that a schema contains", () => {
  it.each<[string, JsonObject, string[], JsonObject]>([
    [
      "a value of a list",
      { type: "integer", enum: [1, "x"] },
      ['dead-value #/enum/1 "x" is never allowed: #/type refuses it'],
      { type: ["integer", "string"], enum: [1, "x"] },
    ],
    [
      "many values of a list",
      { pattern: "^a", enum: ["a", "b", "c", "d"] },
      ['dead-value #/enum 3 of 4 values are never allowed, such as "b" and "c": #/pattern refuses it'],
      { pattern: "^a", enum: ["a", "ab"] },
    ],
    [
      "a default",
      { properties: { a: { minLength: 3, default: "a" } } },
      ['invalid-example #/properties/a/default "a" is not valid here: #/properties/a/minLength refuses it'],
      { properties: { a: { minLength: 1, default: "a" } } },
    ],
    [
      "an example",
      { $ref: "#/$defs/a", examples: ["a", 1], $defs: { a: { ...text, examples: ["a", 1] } } },
      ["invalid-example #/$defs/a/examples/1 1 is not valid here: #/$defs/a/type refuses it"],
      { examples: ["a", 1], $defs: { a: { ...text, examples: [1] } } },
    ],
    [
      "an example of a format on which validators differ",
      { format: "email", examples: ["nope"] },
      ['invalid-example #/examples/0 "nope" is not valid here: #/format refuses it'],
      { format: "email", examples: ["a@[127.0.0.1]"] },
    ],
    [
      "a condition",
      { if: text },
      ["empty-if #/if has neither `then` nor `else`, so it asserts nothing"],
      { if: text, else: { minimum: 1 } },
    ],
    [
      "a condition that marks",
      { properties: { a: { if: text } } },
      ["empty-if #/properties/a/if has neither `then` nor `else`, so it asserts nothing"],
      { if: { properties: { a: text } }, unevaluatedProperties: false },
    ],
  ])("are reported if the schema refuses them or they have no effect: %s", async (_, faulty, expected, correct) => {
    expect(await report(faulty)).toEqual(expected);
    expect(await report(correct)).toEqual([]);
  });
});

describe("a member that another schema of the object closes out", () => {
  const base = { properties: { a: text } };
  const why = "no valid instance has it: #/additionalProperties refuses every member that is not beside it (proven)";

  it("is reported, with the keyword that closes the object", async () => {
    const closed = { properties: { b: text }, additionalProperties: false };
    expect(await report({ ...closed, allOf: [base] })).toEqual([`closed-out #/allOf/0/properties/a ${why}`]);
    expect(await report({ ...closed, $ref: "#/$defs/base", $defs: { base } })).toEqual([
      `closed-out #/$defs/base/properties/a ${why}`,
    ]);
  });

  it("is not reported if the closed object declares or matches it, or if it is `false` or in another object", async () => {
    const closed = { properties: { a: true, b: { properties: { c: text } } }, additionalProperties: false };
    expect(await report({ ...closed, allOf: [base] })).toEqual([]);
    expect(await report({ patternProperties: { "^a": true }, additionalProperties: false, allOf: [base] })).toEqual([]);
    expect(await report({ additionalProperties: false, allOf: [{ properties: { a: false } }] })).toEqual([]);
    expect(await report({ unevaluatedProperties: false, allOf: [base] })).toEqual([]);
    expect(await report({ anyOf: [{ additionalProperties: false }, base] })).toEqual([]);
  });

  it("is not reported if it is shared with an open object", async () => {
    const shared = {
      closed: { additionalProperties: false, allOf: [{ $ref: "#/$defs/base" }] },
      open: { $ref: "#/$defs/base" },
    };
    expect(await report({ properties: shared, $defs: { base } })).toEqual([]);
  });
});
