import { setImmediate as nextTurn } from "node:timers/promises";
import { registerSchema, unregisterSchema } from "@hyperjump/json-schema/draft-2020-12";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { sites } from "../evaluate/sites.ts";
import { nodeAt } from "../model/model.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { compileModel, identifier } from "./compile.ts";

const id = "https://example.org/compiled.schema.json";
const latest = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: id };

describe("compileModel", () => {
  it.each<[string, JsonObject, valid: Json[], invalid: Json[]]>([
    [
      "draft-04 bounds with a boolean",
      { $schema: "http://json-schema.org/draft-04/schema#", id, minimum: 1, exclusiveMinimum: true },
      [2],
      [1],
    ],
    [
      "draft-06 bounds and contains",
      { $schema: "http://json-schema.org/draft-06/schema#", $id: id, exclusiveMaximum: 3, contains: { const: 1 } },
      [2, [0, 1]],
      [3, []],
    ],
    [
      "draft-07 dependencies",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: id,
        dependencies: { a: ["b"], c: { maxProperties: 1 } },
      },
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, { b: 1, c: 1 }],
    ],
    [
      "draft-07 items by position",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: id,
        items: [{ const: 1 }],
        additionalItems: { const: 2 },
      },
      [[], [1, 2]],
      [[2], [1, 1]],
    ],
    [
      "2019-09 items by position, counted contains",
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        $id: id,
        items: [true],
        additionalItems: { type: "null" },
        contains: { const: null },
        minContains: 2,
      },
      [[1, null, null]],
      [[null], [null, null, 1]],
    ],
    [
      "2020-12 items after prefixItems",
      { ...latest, prefixItems: [{ const: 1 }], items: { const: 2 } },
      [[], [1, 2]],
      [[2], [1, 1]],
    ],
  ])("reads %s", async (_what, schema, valid, invalid) => {
    const model = await compileModel([schema], id);
    expect(valid.map((instance) => isValid(model, instance))).toEqual(valid.map(() => true));
    expect(invalid.map((instance) => isValid(model, instance))).toEqual(invalid.map(() => false));
  });

  it("uses plain pointers as locations, not percent-encoded ones", async () => {
    const model = await compileModel([{ ...latest, properties: { "a b/ü": { minimum: 1 } } }], id);
    expect(nodeAt(model, `${id}#/properties/a b~1ü`).keywords).toEqual([
      { kind: "minimum", site: `${id}#/properties/a b~1ü/minimum`, limit: 1 },
    ]);
  });

  it("resolves references only to the given schemas", async () => {
    const otherSchema = { ...latest, $id: "https://example.org/other.schema.json", type: "null" };
    const schema = { ...latest, $ref: "other.schema.json" };
    const model = await compileModel([schema, otherSchema], id);
    expect([isValid(model, null), isValid(model, 1)]).toEqual([true, false]);
    await expect(compileModel([schema], id)).rejects.toThrow();
  });

  it("does not keep state, so the same id may belong to a different schema the next time", async () => {
    const models = await Promise.all(["null", "string"].map((type) => compileModel([{ ...latest, type }], id)));
    expect(models.map((model) => isValid(model, null))).toEqual([true, false]);
    await expect(compileModel([{ ...latest, type: "nothing" }], id)).rejects.toThrow();
    expect(isValid(await compileModel([{ ...latest, type: "array" }], id), [])).toBe(true);
  });
});

describe("identifier", () => {
  it("is the $id or id without an empty fragment", () => {
    expect(identifier({ $id: `${id}#` })).toBe(id);
    expect(identifier({ id })).toBe(id);
    expect(() => identifier({})).toThrow(/no \$id/);
  });
});

describe("places and sites", () => {
  it("are finite for a recursive schema", async () => {
    const tree = { ...latest, required: ["name", "left"], properties: { name: true, left: { $ref: "#" } } };
    const model = await compileModel([tree], id);
    const placePaths = places(model).map(({ at }) => at.join("/"));
    expect(placePaths).toEqual(expect.arrayContaining(["", "name", "left"]));
    expect(placePaths.length).toBeLessThan(10);
    expect(sites(model).map(({ location }) => location)).toEqual([`${id}#/required/0`, `${id}#/required/1`]);
  });

  it("have one site for a list or a choice as a whole, and keywords that only apply others have none", async () => {
    const model = await compileModel(
      [
        {
          ...latest,
          enum: [1, 2],
          anyOf: [{ not: { minimum: 1 } }, true],
          items: { type: "null" },
          additionalProperties: false,
        },
      ],
      id,
    );
    expect(sites(model).map(({ location }) => location.slice(id.length + 2))).toEqual([
      "enum",
      "anyOf",
      "additionalProperties",
      "anyOf/0/not",
      "items/type",
    ]);
  });
});

it("reads nothing from the network: a reference to a missing schema is an error", async () => {
  const schema = { ...latest, $ref: "https://example.org/elsewhere.schema.json" };
  await expect(compileModel([schema], id)).rejects.toThrow(
    /cannot resolve the reference to https:\/\/example\.org\/elsewhere\.schema\.json/,
  );
});

describe("schemas that are compiled several times", () => {
  const text = `${"a".repeat(5000)}!`;

  it("are refused each time if they are invalid", async () => {
    const schemas = [{ ...latest, type: "strin" }];
    await expect(compileModel(schemas, id)).rejects.toThrow();
    await expect(compileModel(schemas, id)).rejects.toThrow();
  });

  it("stay registered only as long as further tasks are waiting", async () => {
    const schemas = [{ ...latest, type: "null" }];
    await compileModel(schemas, id);
    const otherSchemas = [{ ...latest, type: "array" }];
    const judge = await compileHyperjump(otherSchemas, id);
    expect([judge([]), judge(null)]).toEqual([true, false]);
    await nextTurn();
    expect(() => registerSchema({ ...latest, type: "string" }, id)).not.toThrow();
    unregisterSchema(id);
  });

  it("have separate patterns in the model and in the validator", async () => {
    const schemas = [{ ...latest, pattern: "^(a+)+$" }];
    const model = await compileModel(schemas, id);
    const judge = await compileHyperjump(schemas, id);
    expect(isValid(model, text)).toBe(false);
    expect(() => judge(text)).toThrow("may take for ever");
    expect(isValid(await compileModel(schemas, id), text)).toBe(false);
  });
});
