import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { followReference, locateSchemas, rewriteSchema } from "./locations.ts";

const schema: JsonObject = {
  $id: "https://example.test/a/one.json",
  properties: { "a/b~c": { type: "string" }, not: { $ref: "#/$defs/d%C3%A9f" }, away: { $ref: "../two.json" } },
  prefixItems: [true, { type: "null" }],
  additionalProperties: false,
  const: { properties: { data: {} } },
  $defs: { déf: { not: {} } },
};
const otherSchema: JsonObject = { $id: "https://example.test/two.json" };

describe("locateSchemas", () => {
  const { locationsBySchema, schemasByLocation } = locateSchemas([schema, otherSchema]);

  it("locates every subschema, and does not mistake data for schemas", () => {
    expect([...schemasByLocation.keys()].map((location) => location.replace("https://example.test/", ""))).toEqual([
      "a/one.json#",
      "a/one.json#/properties/a~1b~0c",
      "a/one.json#/properties/not",
      "a/one.json#/properties/away",
      "a/one.json#/prefixItems/1",
      "a/one.json#/$defs/déf",
      "a/one.json#/$defs/déf/not",
      "two.json#",
    ]);
    for (const [location, subschema] of schemasByLocation) expect(locationsBySchema.get(subschema)).toBe(location);
  });

  it("resolves references relative to their place", () => {
    const { not, away } = schema.properties as Record<string, JsonObject>;
    expect(followReference(not as JsonObject, { locationsBySchema, schemasByLocation })).toBe(
      (schema.$defs as JsonObject).déf,
    );
    expect(followReference(away as JsonObject, { locationsBySchema, schemasByLocation })).toBe(otherSchema);
    expect(followReference(otherSchema, { locationsBySchema, schemasByLocation })).toBeUndefined();
  });
});

describe("rewriteSchema", () => {
  it("changes every subschema in a copy, innermost first, and leaves data unchanged", () => {
    const original = structuredClone(schema);
    const copy = rewriteSchema(schema, (subschema) => ({
      ...subschema,
      seen: JSON.stringify(subschema).includes("seen"),
    }));
    expect(schema).toEqual(original);
    expect(copy).toEqual({
      ...schema,
      properties: {
        "a/b~c": { type: "string", seen: false },
        not: { $ref: "#/$defs/d%C3%A9f", seen: false },
        away: { $ref: "../two.json", seen: false },
      },
      prefixItems: [true, { type: "null", seen: false }],
      $defs: { déf: { not: { seen: false }, seen: true } },
      seen: true,
    });
  });
});
