import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type AdoptOptions, adoptSchema } from "./adoption.ts";
import { compileModel } from "./compile.ts";

const address = "https://example.org/adopted.json";
const draft = (number: string): string => `http://json-schema.org/draft-0${number}/schema#`;

async function judge(schema: Json, options?: AdoptOptions): Promise<(value: Json) => boolean> {
  const adopted = adoptSchema(schema, address, options);
  const model = await compileModel([adopted.schema], adopted.id);
  return (value) => isValid(model, value);
}

describe("adoptSchema reads", () => {
  it.each<[string, Json, valid: Json[], invalid: Json[]]>([
    ["a boolean", false, [], [1, null]],
    [
      "bounds of draft-04",
      { $schema: draft("4"), minimum: 1, exclusiveMinimum: true, exclusiveMaximum: false },
      [2],
      [1],
    ],
    ["required of draft-03 as nothing", { properties: { a: { required: true, type: "string" } } }, [{}], [{ a: 1 }]],
    ["an empty list of required members", { $schema: draft("4"), required: [], type: "object" }, [{}], [1]],
    ["any type", { type: ["any", "string"], items: { type: "any" } }, [[1], {}], []],
    ["keywords that are newer than the draft", { $schema: draft("4"), const: 1 }, [1], [2]],
    ["a count that is a string as nothing", { maxLength: "2" }, ["abc"], []],
    ["a root that is a reference", { $ref: "#/definitions/a", definitions: { a: { type: "string" } } }, ["a"], [1]],
    ["references to locations that are not keywords", { $ref: "#/types/a", types: { a: { enum: [1] } } }, [1], [2]],
    [
      "references into subschemas",
      { allOf: [{ properties: { a: { type: "string" } } }, { $ref: "#/allOf/0/" }] },
      [{ a: "" }],
      [{ a: 1 }],
    ],
    ["percent-encoded names", { $ref: "#/definitions/a%20b", definitions: { "a b": { const: 1 } } }, [1], [2]],
    ["names with slashes", { $ref: "#/definitions/a~1b", definitions: { "a/b": { const: 1 } } }, [1], [2]],
    [
      "plain names of draft-04",
      { $schema: draft("4"), $ref: "#n", definitions: { a: { id: "#n", enum: [1] } } },
      [1],
      [2],
    ],
    ["plain names of draft-07", { $ref: "#n", definitions: { a: { $id: "#n", enum: [1] } } }, [1], [2]],
    [
      "references relative to an inner identifier",
      {
        $id: "https://other.example/root.json",
        properties: { a: { $id: "https://other.example/folder/", items: { $ref: "item.json" } } },
        definitions: { b: { $id: "folder/item.json", const: 1 } },
      },
      [{ a: [1] }],
      [{ a: [2] }],
    ],
    [
      "inner identifiers as relative to the root if nothing else is found",
      {
        properties: { a: { id: "/a", $ref: "#/definitions/b" }, b: { id: "/b", items: { $ref: "#/definitions/b" } } },
        definitions: { b: { const: 1 } },
      },
      [{ a: 1, b: [1] }],
      [{ b: [2] }],
    ],
    [
      "members named $ref and id",
      { properties: { $ref: { const: 1 }, id: { const: "x" } } },
      [{ $ref: 1, id: "x" }],
      [{ $ref: 2 }, { id: 1 }],
    ],
    [
      "recursion",
      { $ref: "#/definitions/a", definitions: { a: { type: "array", items: { $ref: "#" } } } },
      [[[]]],
      [[1]],
    ],
    [
      "strings as dependencies",
      { dependencies: { a: "b", c: ["d"], e: { required: ["f"] } } },
      [{ a: 1, b: 1 }],
      [{ a: 1 }, { c: 1 }, { e: 1 }],
    ],
    [
      "patterns that are illegal with the flag u",
      { patternProperties: { "^\\_": { pattern: "^a\\-{$" } } },
      [{ _a: "a-{" }],
      [{ _a: "a" }],
    ],
    [
      "keywords of 2019-09 without a $schema",
      { dependentRequired: { a: ["b"] }, items: [{ const: 1 }] },
      [[1], { a: 1, b: 1 }],
      [{ a: 1 }, [2]],
    ],
    ["an id with an empty fragment", { $id: "https://other.example/a.json#", type: "string" }, ["a"], [1]],
    ["an id with a fragment", { $id: "https://other.example/a.json#part", type: "string" }, ["a"], [1]],
    ["a description that is null", { description: null, title: null, type: "string" }, ["a"], [1]],
    ["keywords of 2020-12 without a $schema", { prefixItems: [{ const: 1 }] }, [[1]], [[2]]],
    ["an unknown dialect", { $schema: "https://example.org/own#", const: 1 }, [1], [2]],
    ["a draft by its hyper-schema", { $schema: "http://json-schema.org/draft-04/hyper-schema#", enum: [1] }, [1], [2]],
  ])("%s", async (_what, schema, valid, invalid) => {
    const holds = await judge(schema);
    expect([valid.map(holds), invalid.map(holds)]).toEqual([valid.map(() => true), invalid.map(() => false)]);
  });

  it("ignores keywords beside a $ref, unless `besideRef` is set", async () => {
    const schema = { $ref: "#/definitions/a", minLength: 2, definitions: { a: { type: "string" } } };
    expect((await judge(schema))("a")).toBe(true);
    expect((await judge(schema, { besideRef: true }))("a")).toBe(false);
    expect(adoptSchema(schema, address).hasAssertionsBesideRef).toBe(true);
    expect(
      adoptSchema({ ...schema, minLength: "2" as Json, description: "" }, address, { besideRef: true }).notes,
    ).toContain("minLength is not a count: left out");
  });

  it("reads documents from a library, and those that they refer to", async () => {
    const documents: Record<string, JsonObject> = {
      "https://example.org/other.json": { definitions: { a: { items: { $ref: "third.json" } } } },
      "https://example.org/third.json": { const: 1 },
    };
    const holds = await judge({ $ref: "other.json#/definitions/a" }, { library: (uri) => documents[uri] });
    expect([holds([1]), holds([2])]).toEqual([true, false]);
  });

  it("a reference to a meta-schema", async () => {
    const holds = await judge({ $ref: draft("7") });
    expect([holds({ type: "string" }), holds({ type: 1 })]).toEqual([true, false]);
  });
});

describe("adoptSchema reports", () => {
  it("the parts that it did not read as written", () => {
    expect(adoptSchema({ required: "a", divisibleBy: 2, pattern: "\\_" }, address).notes).toEqual([
      "no $schema: read as draft-07",
      "required is not a list of names: left out",
      "divisibleBy is of draft-03: left out",
      "a pattern is not valid with the flag u: read without the flag",
    ]);
  });

  it.each<[string, Json, RegExp]>([
    [
      "which reference cannot be resolved",
      { items: { $ref: "other.json" } },
      /adopted\.json#\/items: cannot resolve \$ref "other\.json"/,
    ],
    ["that draft-03 is not supported", { $schema: draft("3") }, /draft-03 is not supported/],
    ["that a schema is of draft-03", { extends: {} }, /draft-03/],
    ["that a pattern is invalid", { pattern: "(?<" }, /not a regular expression/],
    ["that a string is not a schema", "string", /expected a schema \(an object or a boolean\)/],
  ])("%s", (_what, schema, message) => {
    expect(() => adoptSchema(schema, address)).toThrow(message);
  });
});
