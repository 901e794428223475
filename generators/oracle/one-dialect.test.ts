import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { instance } from "../testing/schemas.fixture.ts";
import { compileAjv } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { inOneDialect } from "./one-dialect.ts";

const $id = "https://example.org/first";
const otherId = "https://example.org/other";
const latest = { $schema: "https://json-schema.org/draft/2020-12/schema" };
const draftSchema = (draft: string) => ({ $schema: `http://json-schema.org/${draft}/schema#` });
const since2019 = { $schema: "https://json-schema.org/draft/2019-09/schema" };

const integer = { type: "integer" };

const mixedSchemas: readonly [name: string, schemas: readonly JsonObject[], cases: readonly [Json, boolean][]][] = [
  [
    "draft-07 that refers to 2020-12",
    [
      {
        ...draftSchema("draft-07"),
        $id,
        properties: {
          pair: { $ref: otherId },
          more: { items: [integer], additionalItems: { $ref: "#/properties/more/items/0" } },
        },
        dependencies: { pair: ["a"] },
        prefixItems: [false],
        dependentRequired: { b: ["zz"] },
      },
      { ...latest, $id: otherId, prefixItems: [integer], items: false, unevaluatedProperties: true },
    ],
    [
      [{ pair: [1], a: 1 }, true],
      [{ pair: [1, 2], a: 1 }, false],
      [{ pair: ["x"], a: 1 }, false],
      [{ pair: [1] }, false],
      [{ more: [1, 2] }, true],
      [{ more: [1, "a"] }, false],
      [["prefix"], true],
      [{ b: 1 }, true],
    ],
  ],
  [
    "2020-12 that refers to draft-07",
    [
      {
        ...latest,
        $id,
        properties: {
          pair: { $ref: otherId },
          first: { $ref: `${otherId}#/items/0` },
          rest: { $ref: `${otherId}#additional` },
        },
      },
      {
        ...draftSchema("draft-07"),
        $id: otherId,
        items: [integer],
        additionalItems: { $ref: "#/definitions/text" },
        definitions: { text: { $id: "#additional", type: "string" } },
        minContains: 5,
      },
    ],
    [
      [{ pair: [1, "a"] }, true],
      [{ pair: [1, 2] }, false],
      [{ pair: ["a"] }, false],
      [{ first: 1 }, true],
      [{ first: "a" }, false],
      [{ rest: "a" }, true],
      [{ rest: 1 }, false],
    ],
  ],
  [
    "2020-12 that refers to a recursive schema of 2019-09",
    [
      { ...latest, $id, $ref: otherId, prefixItems: [true] },
      {
        ...since2019,
        $id: otherId,
        $recursiveAnchor: true,
        properties: { v: integer, kids: { items: { $recursiveRef: "#" } } },
      },
    ],
    [
      [{ kids: [{ v: 1 }] }, true],
      [{ kids: [{ kids: [{ v: "a" }] }] }, false],
    ],
  ],
  [
    "draft-06, which has no if, that refers to draft-07, which has",
    [
      { ...draftSchema("draft-06"), $id, properties: { a: { $ref: otherId } }, if: true, then: { required: ["zz"] } },
      { ...draftSchema("draft-07"), $id: otherId, if: { type: "string" }, then: { minLength: 2 } },
    ],
    [
      [{ a: "ab" }, true],
      [{ a: "a" }, false],
    ],
  ],
];

describe("inOneDialect", () => {
  it.each(mixedSchemas)("lets validators read each schema by its own dialect: %s", async (_, schemas, cases) => {
    const ajv = compileAjv(schemas, $id, "lenient");
    const hyperjump = await compileHyperjump(schemas, $id);
    for (const [value, valid] of cases) expect([value, ajv(value), hyperjump(value)]).toEqual([value, valid, valid]);
    const anyInstance = fc.oneof(instance, fc.record({ pair: instance, more: instance, kids: instance, a: instance }));
    fc.assert(fc.property(anyInstance, (value) => ajv(value) === hyperjump(value)));
  });

  it("changes nothing if all schemas have one dialect or one is unknown", () => {
    const sameDialect = [
      { ...latest, $id, items: [integer] },
      { ...latest, $id: otherId },
    ];
    expect(inOneDialect(sameDialect)).toBe(sameDialect);
    const unknownDialect = [
      { $schema: "https://example.org/mine", $id },
      { ...latest, $id: otherId },
    ];
    expect(inOneDialect(unknownDialect)).toBe(unknownDialect);
  });
});
