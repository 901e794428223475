import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "translate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a pack with one operation, with this schema for its body and its answer, and returns its files. */
async function packTexts(
  version: string,
  schema: JsonObject,
  schemas: JsonObject = {},
): Promise<Record<string, JsonObject>> {
  const file = join(folder, "api.json");
  const content = { "application/json": { schema } };
  const post = { operationId: "doIt", requestBody: { content }, responses: { 200: { description: "", content } } };
  writeFileSync(
    file,
    JSON.stringify({ openapi: version, info: { title: "T" }, paths: { "/a": { post } }, components: { schemas } }),
  );
  const pack = await packFrom(file, { out: join(folder, "pack") });
  return Object.fromEntries([...pack.texts].map(([path, text]) => [path, JSON.parse(text)]));
}

async function bodySchema(version: string, schema: JsonObject, schemas?: JsonObject): Promise<JsonObject> {
  const { $id: _, ...rest } = (await packTexts(version, schema, schemas))["schemas/do-it.schema.json"] as JsonObject;
  return rest;
}

describe("a schema of OpenAPI 3.0", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable beside an enum",
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a"] },
    ],
    [
      "nullable beside a choice",
      { nullable: true, allOf: [{ type: "string" }] },
      { anyOf: [{ allOf: [{ type: "string" }] }] },
    ],
    [
      "an exclusive bound",
      { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false },
      { maximum: 2, exclusiveMinimum: 1 },
    ],
    ["keywords that only describe", { type: "string", example: "a", xml: {}, "x-own": 1 }, { type: "string" }],
  ])("is read with %s", async (_, schema, expected) => {
    expect(await bodySchema("3.0.3", schema)).toEqual(expected);
  });

  it("has null in a list under one of two readings if only `nullable` adds it", async () => {
    const enumSchema: JsonObject = { type: "string", nullable: true, enum: ["a"] };
    const files = await packTexts("3.0.3", enumSchema);
    const { contradictions } = files["profile.json"] as JsonObject;
    const at = "schema:/do-it.schema.json#/enum";
    expect(contradictions).toMatchObject([{ readings: [{}, { lifts: [{ at, to: ["a", null] }] }] }]);
    expect((await packTexts("3.0.3", { ...enumSchema, enum: ["a", null] }))["profile.json"]).not.toHaveProperty(
      "contradictions",
    );
  });

  it("has no keywords beside a reference, unlike a schema of 3.1", async () => {
    const schema = { $ref: "#/components/schemas/A", minLength: 3 };
    const A = { type: "string" };
    expect(await bodySchema("3.0.3", schema, { A })).toEqual({ $ref: "#/$defs/A", $defs: { A } });
    expect(await bodySchema("3.1.0", schema, { A })).toEqual({ $ref: "#/$defs/A", minLength: 3, $defs: { A } });
  });
});

describe("a member that only one side sends", () => {
  const schema = {
    type: "object",
    required: ["id", "secret", "name"],
    properties: {
      id: { type: "integer", readOnly: true },
      secret: { type: "string", writeOnly: true },
      name: { type: "string" },
    },
  };

  it("is not in requests if it is readOnly, and not required in answers if it is writeOnly", async () => {
    const files = await packTexts("3.1.0", schema);
    expect(files["schemas/do-it.schema.json"]).toMatchObject({ required: ["secret", "name"] });
    expect(files["schemas/do-it.schema.json"]?.properties).not.toHaveProperty("id");
    expect(files["schemas/do-it.response-200.schema.json"]).toMatchObject({
      required: ["id", "name"],
      properties: { secret: { writeOnly: true } },
    });
  });
});

describe("`required` of a readOnly member does not apply to requests", () => {
  const id = { type: "integer", readOnly: true };
  const holder = { properties: { id, name: { type: "string" } } };
  const requiringSchema = { type: "object", required: ["id", "name"] };
  const Named = { ...requiringSchema, properties: { name: { type: "string" } } };
  it.each<[string, JsonObject, Record<string, JsonObject>]>([
    ["its mark in allOf", { ...requiringSchema, properties: { id: { allOf: [{ type: "integer" }, id] } } }, {}],
    [
      "its mark behind a reference in allOf",
      { ...requiringSchema, properties: { id: { allOf: [{ $ref: "#/components/schemas/Id" }] } } },
      { Id: id },
    ],
    [
      "a nullable mark",
      { ...requiringSchema, properties: { id: { oneOf: [{ $ref: "#/components/schemas/Id" }, { type: "null" }] } } },
      { Id: id },
    ],
    [
      "required beside allOf",
      { allOf: [{ $ref: "#/components/schemas/Holder" }], ...requiringSchema },
      { Holder: holder },
    ],
    ["required in another part of allOf", { allOf: [requiringSchema, holder] }, {}],
    ["required in a part that is referred to", { allOf: [{ $ref: "#/components/schemas/Named" }, holder] }, { Named }],
    ["required in a branch", { ...holder, anyOf: [requiringSchema, { type: "object", required: ["id", "b"] }] }, {}],
    ["the mark in a branch", { ...requiringSchema, anyOf: [holder, { properties: { id } }] }, {}],
    ["required in then", { ...holder, if: {}, then: requiringSchema }, {}],
  ])("with %s", async (_, schema, schemas) => {
    const files = await packTexts("3.1.0", schema, schemas);
    const requiredNames = (name: string): unknown[] =>
      [...JSON.stringify(files[name]).matchAll(/"required":(\[[^\]]*\])/g)].flatMap(([, list = ""]) =>
        JSON.parse(list),
      );
    expect(requiredNames("schemas/do-it.schema.json")).not.toContain("id");
    expect(requiredNames("schemas/do-it.schema.json")).toContain("name");
    expect(requiredNames("schemas/do-it.response-200.schema.json")).toContain("id");
  });

  it("but applies to other uses of the schema, and in a branch beside the marked one", async () => {
    const schemas = { Named: { ...Named, properties: { id: { type: "integer" } } } };
    const namedReference = { $ref: "#/components/schemas/Named" };
    const { $defs } = await bodySchema(
      "3.1.0",
      { properties: { a: { allOf: [namedReference, holder] }, b: namedReference } },
      schemas,
    );
    expect(Object.values($defs as JsonObject)).toMatchObject([{ required: ["name"] }, { required: ["id", "name"] }]);
    const { anyOf } = await bodySchema("3.1.0", { anyOf: [holder, requiringSchema] });
    expect(anyOf).toMatchObject([{}, { required: ["id", "name"] }]);
  });

  it("so branches that differ only in it are no longer exclusive", async () => {
    const schema = { ...holder, oneOf: [{ required: ["id"] }, { required: ["name"] }] };
    expect(await bodySchema("3.1.0", schema)).toMatchObject({ anyOf: [{}, { required: ["name"] }] });
  });
});

describe("a discriminator", () => {
  const schemas = {
    Cat: { type: "object", required: ["kind"], properties: { kind: { type: "string" } } },
    Dog: { type: "object", required: ["kind"], properties: { kind: { type: "string" } } },
  };
  const oneOf = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];

  it("chooses by its mapping or by names, and only warns servers that choose by the schemas alone", async () => {
    const mapping = { hound: "#/components/schemas/Dog" };
    const files = await packTexts("3.1.0", { oneOf, discriminator: { propertyName: "kind", mapping } }, schemas);
    const { anyOf, oneOf: removedOneOf } = files["schemas/do-it.schema.json"] as JsonObject;
    expect(removedOneOf).toBeUndefined();
    expect(JSON.stringify(anyOf)).toContain('{"properties":{"kind":{"enum":["Cat"]}},"required":["kind"]}');
    expect(JSON.stringify(anyOf)).toContain('{"enum":["hound"]}');
    expect(files["rules.json"]?.rules).toContainEqual(
      expect.objectContaining({ level: "SHOULD", sites: ["do-it.schema.json#/anyOf"] }),
    );
  });

  const discriminator = { propertyName: "kind" };
  const withKind = (schemaOf: (name: string) => JsonObject): Record<string, JsonObject> =>
    Object.fromEntries(["Cat", "Dog"].map((name) => [name, schemaOf(name)]));

  it.each<[string, string, Record<string, JsonObject>]>([
    ["const", "3.1.0", withKind((name) => ({ required: ["kind"], properties: { kind: { const: name } } }))],
    ["enum", "3.0.0", withKind((name) => ({ required: ["kind"], properties: { kind: { enum: [name] } } }))],
    [
      "a schema in allOf",
      "3.1.0",
      withKind((name) => ({ allOf: [{ required: ["kind"] }, { properties: { kind: { const: name } } }] })),
    ],
  ])("adds nothing if each branch already requires its name by %s", async (_, version, branches) => {
    const files = await packTexts(version, { oneOf, discriminator }, branches);
    expect(files["schemas/do-it.schema.json"]?.oneOf).toEqual([{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }]);
    expect(JSON.stringify(files["rules.json"] ?? {})).not.toContain("DISCRIMINATOR");
  });

  it.each<[string, string, Record<string, JsonObject>]>([
    ["need not have the member", "3.1.0", withKind((name) => ({ properties: { kind: { const: name } } }))],
    [
      "allow another value",
      "3.1.0",
      withKind((name) => ({ required: ["kind"], properties: { kind: { enum: [name, "Cow"] } } })),
    ],
    [
      "allow null",
      "3.0.0",
      withKind((name) => ({ required: ["kind"], properties: { kind: { enum: [name], nullable: true } } })),
    ],
    [
      "do not all fix the value",
      "3.1.0",
      { Cat: { required: ["kind"], properties: { kind: { const: "Cat" } } }, Dog: schemas.Dog },
    ],
  ])("is only advice if the branches %s", async (_, version, branches) => {
    const files = await packTexts(version, { oneOf, discriminator }, branches);
    expect(files["schemas/do-it.schema.json"]).not.toHaveProperty("oneOf");
    expect(JSON.stringify(files["rules.json"])).toContain("DISCRIMINATOR");
  });
});

it("a readOnly member is not required by another member, not even through a reference", async () => {
  const Base = { properties: { id: { readOnly: true }, n: { type: "integer" } } };
  const Rule = { dependentRequired: { n: ["id", "m"] }, dependentSchemas: { m: { required: ["id"] } } };
  const refs = ["Base", "Rule"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  expect(await bodySchema("3.1.0", { allOf: refs }, { Base, Rule })).toEqual({
    allOf: [{ $ref: "#/$defs/Base" }, { $ref: "#/$defs/Rule" }],
    $defs: {
      Base: { properties: { n: { type: "integer" } } },
      Rule: { dependentRequired: { n: ["m"] }, dependentSchemas: { m: {} } },
    },
  });
});

it("a member marked in one choice is not required by another choice, but by a branch beside the mark", async () => {
  const Base = { properties: { id: { readOnly: true } } };
  const anyOf = [{ required: ["id"] }, { required: ["n"] }];
  const oneOf = [{ $ref: "#/components/schemas/Base" }, { required: ["id", "z"] }];
  const expected = { anyOf: [{}, { required: ["n"] }], oneOf: [{ $ref: "#/$defs/Base" }, { required: ["id", "z"] }] };
  expect(await bodySchema("3.1.0", { anyOf, oneOf }, { Base })).toEqual({
    ...expected,
    $defs: { Base: { properties: {} } },
  });
});
