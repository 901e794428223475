import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { witnessOf } from "./witness-of.ts";

const address = "https://example.org/witness.json";
const string = { type: "string" };

it.each<[string, Json, object]>([
  ["what Ajv confirms", string, { outcome: "found", by: "Ajv", asItStands: true }],
  ["what has no instance", { allOf: [string, { type: "number" }] }, { outcome: "none" }],
  ["what refers elsewhere", { $ref: "other.json" }, { outcome: "refers to what is not there" }],
  ["what is no schema", [], { outcome: "not read" }],
  [
    "what Ajv misjudges, and Hyperjump not",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["__proto__"],
      not: { properties: { ["__proto__"]: { type: "number" } } },
    },
    { outcome: "found" },
  ],
  [
    "what only the letter of the draft allows",
    { $ref: "#/definitions/a", type: "number", definitions: { a: string } },
    {
      outcome: "found",
      told: expect.arrayContaining(["what stands beside $ref is ignored, or nothing would be valid"]),
    },
  ],
  [
    "what the author meant beside a reference",
    { $ref: "#/definitions/a", minLength: 2, definitions: { a: string } },
    { outcome: "found", asItStands: true },
  ],
])("tells %s", async (_what, schema, expected) => {
  const witnessed = await witnessOf(schema, address, {});
  expect(witnessed).toMatchObject(expected);
  expect(witnessed.refused).toBeUndefined();
});
