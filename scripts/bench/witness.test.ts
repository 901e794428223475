import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { witnessOf } from "./witness-of.ts";

const address = "https://example.org/witness.json";
const string = { type: "string" };

it.each<[string, Json, object]>([
  ["has an instance that Ajv confirms", string, { outcome: "found", by: "Ajv", acceptsUnchanged: true }],
  ["has no instance", { allOf: [string, { type: "number" }] }, { outcome: "none" }],
  ["refers to a missing schema", { $ref: "other.json" }, { outcome: "refers to a missing schema" }],
  ["is not a schema", [], { outcome: "unreadable" }],
  [
    "is misjudged by Ajv and not by Hyperjump",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["__proto__"],
      not: { properties: { ["__proto__"]: { type: "number" } } },
    },
    { outcome: "found" },
  ],
  [
    "has instances only by the letter of the draft",
    { $ref: "#/definitions/a", type: "number", definitions: { a: string } },
    {
      outcome: "found",
      notes: expect.arrayContaining(["keywords beside $ref are ignored, since nothing would be valid otherwise"]),
    },
  ],
  [
    "has keywords beside a reference",
    { $ref: "#/definitions/a", minLength: 2, definitions: { a: string } },
    { outcome: "found", acceptsUnchanged: true },
  ],
])("finds a witness or the reason for its absence, for a schema that %s", async (_title, schema, expected) => {
  const witnessed = await witnessOf(schema, address, {});
  expect(witnessed).toMatchObject(expected);
  expect(witnessed.refused).toBeUndefined();
});
