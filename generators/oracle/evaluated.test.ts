import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { compileAjv } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { oracleFor } from "./oracle.ts";

const has = (name: string): JsonObject => ({ properties: { [name]: true } });
const if_ = (name: string): JsonObject => ({ ...has(name), required: [name] });
const members = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "z"), fc.constantFrom(1, "x"));

it.each<[string, JsonObject, [Json, boolean][]]>([
  ["properties", { ...has("c"), dependentSchemas: { a: has("b") } }, [[{ c: 1 }, true]]],
  ["another dependent schema", { dependentSchemas: { a: if_("a"), b: if_("b") } }, [[{ b: 1 }, true]]],
  ["$ref", { $ref: "#/$defs/c", anyOf: [if_("a"), if_("b")] }, [[{ c: 1, b: 1 }, true]]],
  ["allOf", { allOf: [has("c")], if: if_("a"), then: has("b") }, [[{ c: 1 }, true]]],
  ["an if that fails", { anyOf: [has("c")], if: { ...has("b"), required: ["a"] } }, [[{ b: 1 }, false]]],
  ["an if alone", { if: if_("a") }, [[{ a: 1 }, true]]],
  ["a choice in each item", { items: { ...has("c"), oneOf: [if_("a"), if_("b")], unevaluatedProperties: false } }, []],
])("a member that a branch evaluates counts beside %s, which Ajv forgets", async (_, schema, cases) => {
  const inItems = "items" in schema;
  const whole = { $defs: { c: has("c") }, ...schema, ...(inItems ? {} : { unevaluatedProperties: false }) };
  const schemas = [document(whole)];
  const [oracle, ajv, hyperjump] = [
    await oracleFor(schemas, id),
    compileAjv(schemas, id, "lenient"),
    await compileHyperjump(schemas, id),
  ];
  for (const [value, valid] of cases) expect(oracle.judge(value).verdict).toBe(valid ? "valid" : "invalid");
  const any = inItems ? fc.array(members) : members;
  fc.assert(fc.property(any, (value) => ajv(value as Json) === hyperjump(value as Json)));
});

it.each<[string, JsonObject]>([
  ["properties", has("__proto__")],
  ["a pattern", { patternProperties: { "^__": true } }],
  ["a choice", { anyOf: [if_("__proto__"), if_("b")] }],
  ["a reference", { $ref: "#/$defs/proto" }],
])("a member __proto__ that %s evaluates counts, which Ajv forgets", async (_, schema) => {
  const schemas = [document({ $defs: { proto: has("__proto__") }, ...schema, unevaluatedProperties: false })];
  const oracle = await oracleFor(schemas, id);
  const verdicts = ['{"__proto__": 1}', '{"__proto__": 1, "props0 = {}": 1}', '{"c": 1}'].map(
    (text) => oracle.judge(JSON.parse(text)).verdict,
  );
  expect(verdicts).toEqual(["valid", "invalid", "invalid"]);
});

it("a name that looks like Ajv's code stays", () => {
  const name = "props0 = {}";
  const ajv = compileAjv([document({ required: [name], unevaluatedProperties: { const: 1 } })], id, "lenient");
  expect([ajv({ [name]: 1 }), ajv({ "props0 = Object.create(null)": 1 })]).toEqual([true, false]);
});
