import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { compileAjv } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { oracleFor } from "./oracle.ts";

const declares = (name: string): JsonObject => ({ properties: { [name]: true } });
const requires = (name: string): JsonObject => ({ ...declares(name), required: [name] });
const members = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "z"), fc.constantFrom(1, "x"));

it.each<[string, JsonObject, [Json, boolean][]]>([
  ["properties", { ...declares("c"), dependentSchemas: { a: declares("b") } }, [[{ c: 1 }, true]]],
  ["another dependent schema", { dependentSchemas: { a: requires("a"), b: requires("b") } }, [[{ b: 1 }, true]]],
  ["$ref", { $ref: "#/$defs/c", anyOf: [requires("a"), requires("b")] }, [[{ c: 1, b: 1 }, true]]],
  ["allOf", { allOf: [declares("c")], if: requires("a"), then: declares("b") }, [[{ c: 1 }, true]]],
  ["an if that fails", { anyOf: [declares("c")], if: { ...declares("b"), required: ["a"] } }, [[{ b: 1 }, false]]],
  ["an if alone", { if: requires("a") }, [[{ a: 1 }, true]]],
  [
    "a choice in each item",
    { items: { ...declares("c"), oneOf: [requires("a"), requires("b")], unevaluatedProperties: false } },
    [],
  ],
])("corrects Ajv, which forgets members that a branch evaluates beside %s", async (_, schema, cases) => {
  const inItems = "items" in schema;
  const closedSchema = { $defs: { c: declares("c") }, ...schema, ...(inItems ? {} : { unevaluatedProperties: false }) };
  const schemas = [document(closedSchema)];
  const [oracle, ajv, hyperjump] = [
    await oracleFor(schemas, id),
    compileAjv(schemas, id, "lenient"),
    await compileHyperjump(schemas, id),
  ];
  for (const [value, valid] of cases) expect(oracle.judge(value).verdict).toBe(valid ? "valid" : "invalid");
  const anyInstance = inItems ? fc.array(members) : members;
  fc.assert(fc.property(anyInstance, (value) => ajv(value as Json) === hyperjump(value as Json)));
});

it.each<[string, JsonObject]>([
  ["properties", declares("__proto__")],
  ["a pattern", { patternProperties: { "^__": true } }],
  ["a choice", { anyOf: [requires("__proto__"), requires("b")] }],
  ["a reference", { $ref: "#/$defs/proto" }],
])("corrects Ajv, which forgets a member __proto__ that %s evaluates", async (_, schema) => {
  const schemas = [document({ $defs: { proto: declares("__proto__") }, ...schema, unevaluatedProperties: false })];
  const oracle = await oracleFor(schemas, id);
  const verdicts = ['{"__proto__": 1}', '{"__proto__": 1, "props0 = {}": 1}', '{"c": 1}'].map(
    (text) => oracle.judge(JSON.parse(text)).verdict,
  );
  expect(verdicts).toEqual(["valid", "invalid", "invalid"]);
});

it("does not change a member name that looks like Ajv's code", () => {
  const name = "props0 = {}";
  const ajv = compileAjv([document({ required: [name], unevaluatedProperties: { const: 1 } })], id, "lenient");
  expect([ajv({ [name]: 1 }), ajv({ "props0 = Object.create(null)": 1 })]).toEqual([true, false]);
});
