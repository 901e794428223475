import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerSchema, type SchemaObject, unregisterSchema, validate } from "@hyperjump/json-schema";
import { afterAll, describe, expect, it } from "vitest";
import { type Json, type JsonObject, loadSchemas } from "../../schemas/index.ts";
import { oracleFor } from "../oracle/oracle.ts";

const folder = mkdtempSync(join(tmpdir(), "stable-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const $schema = "https://json-schema.org/v1";

async function loadSchema(schema: JsonObject) {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify({ $schema, ...schema }));
  return loadSchemas({ schema: file, lenient: true, upgrade: true });
}

/** Lists the verdicts of a validator that supports v1 itself. */
async function nativeVerdicts(schema: JsonObject, instances: readonly Json[]): Promise<string[]> {
  const id = "https://example.com/stable";
  registerSchema({ $schema, ...schema } as SchemaObject, id);
  try {
    const judge = await validate(id);
    return instances.map((instance) => (judge(instance as Parameters<typeof judge>[0]).valid ? "valid" : "invalid"));
  } finally {
    unregisterSchema(id);
  }
}

const values: Json[] = [null, 1, "a", "12", [], [1], {}, { k: "x" }, { k: "y" }, { k: "x", a: 1 }, { a: 1, b: 2 }];

describe("a schema of JSON Schema v1", () => {
  it.each<[string, JsonObject]>([
    ["propertyDependencies", { propertyDependencies: { k: { x: { required: ["a"] }, z: false } } }],
    [
      "conditional, flat",
      { conditional: [{ type: "string" }, { minLength: 2 }, { type: "array" }, { minItems: 1 }, { type: "object" }] },
    ],
    [
      "conditional, in pairs",
      {
        conditional: [
          [{ type: "string" }, false],
          [{ type: "array" }, { minItems: 1 }],
        ],
      },
    ],
    ["requireAllExcept", { properties: { a: {}, b: {}, k: {} }, requireAllExcept: ["k"] }],
    [
      "requireAllExcept in a subschema",
      { items: { type: "string" }, not: { properties: { k: {}, a: {} }, requireAllExcept: [] } },
    ],
    [
      "all at once",
      {
        allOf: [{ minProperties: 1 }],
        propertyDependencies: { k: { x: { minProperties: 2 } } },
        conditional: [true, { not: { const: {} } }],
      },
    ],
    [
      "a dynamic reference",
      { $dynamicAnchor: "node", type: "object", properties: { below: { $dynamicRef: "node" }, k: { const: "x" } } },
    ],
  ])("keeps its meaning after translation: %s", async (_, schema) => {
    const { entry, schemas, notes } = await loadSchema(schema);
    const oracle = await oracleFor(schemas, entry, "lenient");
    expect(notes).toContainEqual(expect.stringMatching(/JSON Schema v1 is read as 2020-12/));
    const instances = [...values, ...values.map((below) => ({ below }))];
    const expected = await nativeVerdicts(schema, instances);
    expect(instances.map((instance) => oracle.judge(instance).verdict)).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  });

  it("is refused with its location if it contains itemPattern", async () => {
    await expect(loadSchema({ items: { itemPattern: [{ type: "string" }, "*"] } })).rejects.toThrow(
      /schema\.json:1:\d+ \(#\/items\/itemPattern\): itemPattern is not read here/,
    );
  });
});
