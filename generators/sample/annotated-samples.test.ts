import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { annotatedSamples } from "./annotated-samples.ts";

const id = "https://example.org/annotated.schema.json";
const samplesOf = (schema: JsonObject, dialect = "2020-12"): Promise<Json[]> => {
  const $schema = dialect.startsWith("20")
    ? `https://json-schema.org/draft/${dialect}/schema`
    : `http://json-schema.org/${dialect}/schema#`;
  return annotatedSamples([{ $schema, $id: id, ...schema }], id);
};
const text = { type: "string" };

describe("the samples of a schema", () => {
  it.each<[what: string, schema: JsonObject, samples: Json[], dialect?: string]>([
    ["none if there is no annotation", { properties: { a: text } }, []],
    [
      "the valid examples of the root",
      { required: ["a"], examples: [{ a: 1 }, {}, { a: "b" }] },
      [{ a: 1 }, { a: "b" }],
    ],
    [
      "built from an example rather than a default, or from a default alone",
      {
        type: "object",
        required: ["a"],
        properties: { a: { ...text, default: "later", examples: ["first"] }, b: { ...text, default: "b" } },
      },
      [{ a: "first", b: "b" }],
    ],
    [
      "built from the first valid example",
      { type: "object", required: ["a"], properties: { a: { ...text, examples: [1, "x"] } } },
      [{ a: "x" }],
    ],
    ["none if no annotation is valid", { type: "object", properties: { a: { ...text, examples: [1] } } }, []],
    [
      "built from an outer example rather than an inner one",
      {
        type: "object",
        properties: { a: { type: "object", examples: [{ b: "outer" }], properties: { b: { examples: ["inner"] } } } },
      },
      [{ a: { b: "outer" } }],
    ],
    [
      "built from annotations of items and of nested, optional members",
      {
        type: "object",
        properties: { a: { type: "object", properties: { list: { type: "array", items: { examples: ["item"] } } } } },
      },
      [{ a: { list: ["item"] } }],
    ],
    [
      "built without annotations that another assertion refuses",
      {
        type: "object",
        maxProperties: 1,
        required: ["a"],
        properties: { a: { ...text, examples: ["a"] }, b: { default: "b" } },
      },
      [{ a: "a" }],
    ],
    [
      "built from annotations beside a $ref",
      {
        type: "object",
        required: ["a"],
        properties: { a: { $ref: "#/definitions/a", examples: ["1.0"] } },
        definitions: { a: text },
      },
      [{ a: "1.0" }],
      "draft-07",
    ],
    ["none if only additionalProperties has annotations", { additionalProperties: { examples: ["x"] } }, []],
    [
      "built with a member named __proto__",
      { type: "object", properties: JSON.parse('{"__proto__": {"default": "own"}}') as JsonObject },
      [JSON.parse('{"__proto__": "own"}') as Json],
    ],
  ])("are %s", async (_, schema, samples, dialect) => {
    expect(JSON.stringify(await samplesOf(schema, dialect))).toBe(JSON.stringify(samples));
  });
});

it("fills an unconstrained string with the name of its member, if `hasWords` is set", async () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    type: "object",
    required: ["title", "code"],
    properties: {
      title: { ...text, minLength: 1 },
      code: { type: ["null", "string"], maxLength: 2 },
      long: { ...text, minLength: 20 },
      tags: { type: "array", items: text },
      kind: { ...text, pattern: "^a" },
      due: { ...text, format: "date" },
      free: true,
    },
  };
  expect(await annotatedSamples([schema], id)).toEqual([]);
  expect(await annotatedSamples([schema], id, { hasWords: true })).toEqual([
    { title: "title", code: "co", long: "long long long long long", tags: ["tags"] },
  ]);
});
