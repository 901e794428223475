import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { compileAjv, wrongPlacesByAjv } from "./ajv.ts";
import { foreignOracle } from "./foreign-oracle.ts";

afterEach(() => vi.restoreAllMocks());

async function timesCompiled(schema: JsonObject): Promise<number> {
  const schemas = [document(schema)];
  const addSchema = vi.spyOn(Ajv2020.prototype, "addSchema");
  await foreignOracle(schemas, id);
  expect(compileAjv(schemas, id, "lenient")(1)).toBe(true);
  expect(wrongPlacesByAjv(schemas, id)(10)).toEqual([""]);
  return addSchema.mock.calls.filter(([added]) => added === schemas[0]).length;
}

it("compiles a schema once for both the verdict and the locations of faults", async () => {
  expect(await timesCompiled({ maximum: 9 })).toBe(1);
});

it("compiles a schema with multipleOf once for each kind of arithmetic", async () => {
  expect(await timesCompiled({ maximum: 9, multipleOf: 0.1 })).toBe(2);
});

const proto = '{"__proto__": {"type": "integer"}}';

it.each([
  ["a member of a closed object", `{"required": ["__proto__"], "additionalProperties": false, "properties": ${proto}}`],
  [
    "a schema that depends on a member",
    `{"dependentSchemas": {"__proto__": {"properties": ${proto}, "maxProperties": 1}}}`,
  ],
])("judges a member `__proto__` like any other: %s", (_, text) => {
  const accepts = compileAjv([document(JSON.parse(text) as JsonObject)], id, "lenient");
  expect(accepts(JSON.parse('{"__proto__": 1}') as JsonObject)).toBe(true);
  expect(accepts(JSON.parse('{"__proto__": "a"}') as JsonObject)).toBe(false);
  expect(accepts(JSON.parse('{"__proto__": 1, "a": 1}') as JsonObject)).toBe(false);
});
