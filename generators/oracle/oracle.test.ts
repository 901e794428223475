import { describe, expect, it, vi } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { formatHolds } from "../formats/check.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { compileAjv } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { oracleFor } from "./oracle.ts";

const judge = async (schema: JsonObject, instance: Json) => (await oracleFor([document(schema)], id)).judge(instance);

describe("an oracle", () => {
  it("returns the common verdict of both validators", async () => {
    expect(await judge({ type: "string" }, "a")).toEqual({
      verdict: "valid",
      readings: [{ verdict: "valid", by: ["ajv", "hyperjump"] }],
    });
    expect(await judge({ type: "string" }, 1)).toEqual({
      verdict: "invalid",
      readings: [{ verdict: "invalid", by: ["ajv", "hyperjump"] }],
    });
  });

  it("refuses every value for an empty enum, and accepts instances without that value", async () => {
    const schema = { properties: { a: { enum: [] } } };
    expect((await judge(schema, { a: 1 })).verdict).toBe("invalid");
    expect((await judge(schema, {})).verdict).toBe("valid");
  });

  it.each(["urn:Name", "urn:", "urn:OCPP:Cp:2:2020:3:BootNotificationRequest", "tag:example.org,2026:order"])(
    "reads a schema with the identifier %s",
    async (name) => {
      const definitions = { text: { type: "string" } };
      for (const $ref of ["#/definitions/text", `${name}#/definitions/text`]) {
        const schema = { $schema: "http://json-schema.org/draft-07/schema#", $id: name, items: { $ref }, definitions };
        const oracle = await oracleFor([schema], name);
        expect([(await oracle.judge(["a"])).verdict, (await oracle.judge([1])).verdict]).toEqual(["valid", "invalid"]);
      }
    },
  );

  it("suppresses Hyperjump's output for an international name that is too long", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const hyperjump = await compileHyperjump([document({ format: "idn-hostname" })], id);
    expect(hyperjump("é".repeat(90))).toBe(false);
    expect(formatHolds("idn-email", `a@${"é".repeat(90)}`)).toBe(false);
    expect(log).not.toHaveBeenCalled();
  });

  it.each<[string, JsonObject, Json]>([
    ["a space for the T of a date-time", { format: "date-time" }, "2024-01-01 00:00:00Z"],
    ["an offset without a colon", { format: "date-time" }, "2024-01-01T00:00:00+0530"],
    ["a port in letters", { format: "uri" }, "https://example.org:port/"],
  ])("disputes %s, with both readings", async (_what, schema, instance) => {
    const { verdict, readings } = await judge(schema, instance);
    expect(verdict).toBe("disputed");
    expect(readings.map((reading) => reading.verdict)).toEqual(["valid", "invalid"]);
    expect(readings.flatMap(({ by }) => by).sort()).toEqual(["ajv", "hyperjump"]);
  });

  it("lists decimal arithmetic only if it disagrees with Ajv", async () => {
    const schema = { properties: { on: { format: "date-time" }, price: { multipleOf: 0.01 } } };
    const { readings } = await judge(schema, { on: "2024-01-01 00:00:00Z", price: 1 });
    expect(readings.flatMap(({ by }) => by).sort()).toEqual(["ajv", "hyperjump"]);
  });

  it.each([
    ["that division in binary misses", 0.01, 4.35, ["hyperjump", "decimal"], ["ajv"]],
    ["that exists only in binary", 0.01, 6.5200000000000005, ["ajv", "hyperjump"], ["decimal"]],
    ["that binary arithmetic misses", 0.1, -0.3, ["decimal"], ["ajv", "hyperjump"]],
  ])("disputes a multiple %s", async (_what, multipleOf, instance, valid, invalid) => {
    expect(await judge({ items: { multipleOf } }, [instance])).toEqual({
      verdict: "disputed",
      readings: [
        { verdict: "valid", by: valid },
        { verdict: "invalid", by: invalid },
      ],
    });
  });

  it.each<[string, JsonObject, Json, string]>([
    ["a multiple", { multipleOf: 0.07 }, 0.28, "valid"],
    ["a number that is not a multiple", { multipleOf: 0.07 }, 0.22, "invalid"],
    ["a leap second", { format: "date-time" }, "2016-12-31T23:59:60Z", "valid"],
    ["a leap second at noon", { format: "date-time" }, "2016-12-31T12:00:60Z", "invalid"],
    ["a member that every object inherits", { required: ["toString"] }, {}, "invalid"],
    ["an own member named toString", { required: ["toString"] }, { toString: 1 }, "valid"],
    ["an inherited member beside declared ones", { properties: { constructor: { type: "string" } } }, {}, "valid"],
    ["a member named __proto__", { additionalProperties: false }, JSON.parse('{"__proto__":1}'), "invalid"],
    ["two UTF-16 units", { maxLength: 1 }, "😀", "valid"],
    ["an integer with a point", { type: "integer" }, JSON.parse("1.0"), "valid"],
  ])("agrees on %s", async (_what, schema, instance, verdict) => {
    expect((await judge(schema, instance)).verdict).toBe(verdict);
  });

  it("disputes an instance if one validator throws", async () => {
    expect((await judge({ enum: [{ a: 1, toString: 2 }] }, { toString: 1 })).verdict).toBe("disputed");
  });

  it.each<[string, JsonObject, Json]>([
    ["an unevaluated member named constructor", { unevaluatedProperties: false }, { constructor: 1 }],
    ["a nested toString", { properties: { a: { unevaluatedProperties: false } } }, { a: { toString: 1 } }],
    ["__proto__", { unevaluatedProperties: false, properties: { a: true } }, JSON.parse('{"a":1,"__proto__":1}')],
    ["toString if objects are compared", { enum: [{ a: 1 }] }, { toString: 1 }],
  ])("refuses %s, which only Ajv confuses with an inherited member", async (_what, schema, instance) => {
    expect(await judge(schema, instance)).toEqual({
      verdict: "invalid",
      readings: [{ verdict: "invalid", by: ["ajv", "hyperjump"] }],
    });
  });

  it("still disputes other differences, and judges inherited names that the schema contains", async () => {
    const declaring = { unevaluatedProperties: false, properties: { constructor: { type: "string" } } };
    expect((await judge(declaring, { constructor: "a" })).verdict).toBe("valid");
    const format = { properties: { at: { format: "date-time" } } };
    expect((await judge(format, { at: "2024-01-01T00:00:00+0530", toString: 1 })).verdict).toBe("disputed");
    const matching = { unevaluatedProperties: false, patternProperties: { r$: true } };
    expect((await judge(matching, { constructor: 1 })).verdict).toBe("valid");
  });

  it("rejects an invalid schema, an unknown id and an unresolved reference", async () => {
    await expect(oracleFor([document({ type: "text" })], id)).rejects.toThrow();
    await expect(oracleFor([document({})], "https://example.org/other")).rejects.toThrow();
    await expect(oracleFor([document({ $ref: "elsewhere" })], id)).rejects.toThrow();
  });
});

describe("compileAjv", () => {
  const withUnknown = document({ colour: "red", format: "colour" });

  it("is strict about unknown keywords by default", () => {
    expect(() => compileAjv([withUnknown], id)).toThrow(/colour/);
    for (const strictness of ["lenient", "quick"] as const)
      expect(compileAjv([withUnknown], id, strictness)("red")).toBe(true);
  });

  it("supports each dialect", () => {
    const dialect = (name: string, schema: JsonObject) => compileAjv([{ $id: id, $schema: name, ...schema }], id);
    const draft7 = dialect("http://json-schema.org/draft-07/schema#", {
      items: [{ const: 1 }],
      additionalItems: false,
    });
    expect([draft7([1]), draft7([1, 1]), draft7([2])]).toEqual([true, false, false]);
    const draft2019 = dialect("https://json-schema.org/draft/2019-09/schema", { dependentRequired: { a: ["b"] } });
    expect([draft2019({ a: 1, b: 1 }), draft2019({ a: 1 })]).toEqual([true, false]);
  });
});

describe("Hyperjump's global registry", () => {
  const types = ["null", "boolean", "string", "array", "object"] as const;
  const samples: Record<(typeof types)[number], Json> = {
    null: null,
    boolean: true,
    string: "a",
    array: [],
    object: {},
  };

  it("compiles many schemas with the same id at once", async () => {
    const judges = await Promise.all(types.map((type) => compileHyperjump([document({ type })], id)));
    const models = await Promise.all(types.map((type) => compileModel([document({ type })], id)));
    for (const [index, type] of types.entries()) {
      const verdicts = types.map((otherType) => judges[index]?.(samples[otherType]));
      expect(verdicts).toEqual(types.map((otherType) => otherType === type));
      expect(types.map((other) => isValid(models[index] as never, samples[other]))).toEqual(verdicts);
    }
  });

  it("compiles other schemas after one that does not compile", async () => {
    const brokenSchema = document({ $ref: "#/$defs/none" });
    const outcomes = await Promise.allSettled([
      compileHyperjump([document({ type: "null" })], id),
      compileHyperjump([brokenSchema], id),
      compileHyperjump([document({ type: "string" })], id),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const [, , last] = outcomes;
    expect(last.status === "fulfilled" && [last.value("a"), last.value(null)]).toEqual([true, false]);
  });
});
