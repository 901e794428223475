import { expect, it } from "vitest";
import { type Json, type JsonObject, typeOf } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type Random, randomFrom } from "./random.ts";
import { type Sampler, samplerFor } from "./sampler.ts";

const id = "https://example.org/sampled.schema.json";

async function drawValues(schema: JsonObject, count = 300, samples: Json[] = []): Promise<Json[]> {
  const model = await compileModel(
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id: id, ...schema }],
    id,
  );
  const sampler = samplerFor(model, { samples });
  const random = randomFrom(7);
  const values = Array.from({ length: count }, () => sampler.next(random));
  for (const value of values) expect([value, isValid(model, value)]).toEqual([value, true]);
  return values;
}

const lengthOf = (text: string) => [...text].length;
const distinctTexts = (values: Json[]) => [...new Set(values.map((value) => JSON.stringify(value)))];

it("draws every member of an enumeration, both sides of a condition, every branch and every type", async () => {
  expect(distinctTexts(await drawValues({ enum: [1, "a", null, [2]] })).sort()).toEqual(['"a"', "1", "[2]", "null"]);
  const kinds = await drawValues({ type: ["null", "boolean", "integer", "string", "array", "object"] });
  expect(new Set(kinds.map(typeOf))).toEqual(new Set(["null", "boolean", "number", "string", "array", "object"]));
  const choices = await drawValues({
    type: "object",
    required: ["kind"],
    properties: { kind: { enum: ["a", "b", "c"] } },
    oneOf: ["a", "b", "c"].map((kind) => ({ properties: { kind: { const: kind } }, required: [`only_${kind}`] })),
    if: { properties: { kind: { const: "b" } } },
    then: { required: ["more"] },
  });
  for (const kind of ["a", "b", "c"]) expect(choices.some((value) => (value as JsonObject).kind === kind)).toBe(true);
});

it("reaches every branch even if there are more combinations than it keeps", async () => {
  const flag = (index: number): JsonObject => ({
    oneOf: [{ required: [`yes${index}`] }, { not: { required: [`yes${index}`] }, required: [`no${index}`] }],
  });
  const values = await drawValues({ type: "object", allOf: Array.from({ length: 12 }, (_, index) => flag(index)) });
  for (let index = 0; index < 12; index += 1) {
    expect(values.some((value) => Object.hasOwn(value as JsonObject, `yes${index}`))).toBe(true);
    expect(values.some((value) => !Object.hasOwn(value as JsonObject, `yes${index}`))).toBe(true);
  }
});

it("counts the length of strings in code points, and draws both bounds, escapes and astral characters", async () => {
  const values = (await drawValues({ type: "string", minLength: 2, maxLength: 5 }, 2000)) as string[];
  expect(new Set(values.map(lengthOf))).toEqual(new Set([2, 3, 4, 5]));
  expect(values.some((text) => text.length > lengthOf(text))).toBe(true);
  expect(values.some((text) => JSON.stringify(text).includes("\\"))).toBe(true);
  expect(values.every((text) => !/\p{Surrogate}/u.test(text))).toBe(true);
  const lengths = (await drawValues({ type: "string", maxLength: 5000 })).map((text) => lengthOf(text as string));
  expect(lengths).toContain(5000);
  expect(lengths).toContain(0);
});

it("draws numbers at the bounds and between, and multiples", async () => {
  expect(distinctTexts(await drawValues({ type: "integer", exclusiveMinimum: 2, maximum: 5 })).sort()).toEqual([
    "3",
    "4",
    "5",
  ]);
  const wideRange = (await drawValues({ type: "integer", minimum: 0, maximum: 86_400_000 })) as number[];
  expect(wideRange).toContain(0);
  expect(wideRange).toContain(86_400_000);
  expect(wideRange.some((value) => value < 100 && value > 0) && wideRange.some((value) => value > 10_000_000)).toBe(
    true,
  );
  const cents = (await drawValues({ type: "number", multipleOf: 0.01, minimum: 0.5 })) as number[];
  expect(cents.filter((value) => !/^[0-9]+([.][0-9]{1,2})?$/.test(String(value)))).toEqual([]);
  expect(cents.some((value) => !Number.isInteger(value))).toBe(true);
  const multiples = await drawValues({ type: "integer", multipleOf: 6, minimum: -20, maximum: 20 });
  expect(
    distinctTexts(multiples)
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([-18, -12, -6, 0, 6, 12, 18]);
  expect((await drawValues({ type: "number", minimum: 0, maximum: 1 })).some((value) => !Number.isInteger(value))).toBe(
    true,
  );
});

it("respects counts, uniqueness and the required items of an array", async () => {
  const uniqueLists = await drawValues({ type: "array", items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 });
  expect(uniqueLists.every((value) => (value as Json[]).length === 3)).toBe(true);
  const containingLists = await drawValues({
    type: "array",
    contains: { type: "string" },
    minContains: 1,
    maxContains: 2,
    maxItems: 6,
  });
  expect(
    new Set(containingLists.map((value) => (value as Json[]).filter((item) => typeof item === "string").length)),
  ).toEqual(new Set([1, 2]));
  const tuples = await drawValues({ type: "array", prefixItems: [{ const: "a" }, { type: "integer" }], items: false });
  expect(new Set(tuples.map((value) => (value as Json[]).length))).toEqual(new Set([0, 1, 2]));
});

it("includes and omits optional members, adds unknown ones to open objects, and never to closed ones", async () => {
  const properties = { a: { type: "integer" }, b: { type: "boolean" } };
  const openNames = distinctTexts(
    (await drawValues({ type: "object", properties })).map((value) => Object.keys(value as JsonObject)),
  );
  for (const names of ['["a","b"]', '["a"]', '["b"]', "[]"]) expect(openNames).toContain(names);
  expect(openNames.length).toBeGreaterThan(4);
  const closedObjects = await drawValues({ type: "object", properties, additionalProperties: false });
  expect(distinctTexts(closedObjects.map((value) => Object.keys(value as JsonObject))).length).toBe(4);
  const boundedObjects = await drawValues({ type: "object", properties, minProperties: 2, maxProperties: 3 });
  expect(new Set(boundedObjects.map((value) => Object.keys(value as JsonObject).length))).toEqual(new Set([2, 3]));
  const patternObjects = await drawValues({
    type: "object",
    propertyNames: { pattern: "^[a-z]{3}$" },
    patternProperties: { "^x": { const: 1 } },
    minProperties: 1,
  });
  expect(patternObjects.every((value) => Object.keys(value as JsonObject).length > 0)).toBe(true);
});

it("decides by the chosen branches which parts are unevaluated", async () => {
  const values = await drawValues({
    type: "object",
    anyOf: [
      { properties: { a: { type: "integer" } }, required: ["a"] },
      { properties: { b: { type: "string" } }, required: ["b"] },
    ],
    unevaluatedProperties: false,
  });
  expect(
    new Set(
      values.map((value) =>
        Object.keys(value as JsonObject)
          .sort()
          .join(""),
      ),
    ),
  ).toEqual(new Set(["a", "b", "ab"]));
});

it("terminates for a recursive schema, even with required members", async () => {
  const tree = await drawValues({
    type: "object",
    required: ["next"],
    properties: { next: { oneOf: [{ type: "null" }, { $ref: "#" }] } },
  });
  expect(Math.max(...tree.map((value) => JSON.stringify(value).split("next").length))).toBeGreaterThan(2);
  await drawValues({ type: ["object", "integer"], minProperties: 2, additionalProperties: { $ref: "#" } }, 50);
  await drawValues(
    {
      $defs: { endless: { type: "object", required: ["a"], properties: { a: { $ref: "#/$defs/endless" } } } },
      type: "object",
      properties: { a: { $ref: "#/$defs/endless" }, b: { type: "integer" } },
      required: ["b"],
    },
    50,
  );
});

it("sometimes draws the strings of samples, if they fit", async () => {
  const schema = {
    type: "object",
    required: ["name", "code"],
    properties: { name: { type: "string" }, code: { type: "string", maxLength: 3 } },
  };
  const values = (await drawValues(schema, 300, [{ name: "Ada Lovelace", code: "A1" }])) as JsonObject[];
  expect(values.some(({ name }) => name === "Ada Lovelace") && values.some(({ code }) => code === "A1")).toBe(true);
  expect(values.some(({ name }) => name !== "Ada Lovelace")).toBe(true);
});

it("reports that there is no valid instance", async () => {
  const impossible = { type: "object", required: ["a"], properties: { a: false } };
  await expect(drawValues(impossible)).rejects.toThrow(/sampled\.schema\.json.*no valid instance/);
});

it("depends on nothing but the random source", async () => {
  const model = await compileModel(
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id: id, additionalProperties: { $ref: "#" } }],
    id,
  );
  const [used, fresh] = [samplerFor(model), samplerFor(model)];
  const drawFifty = (sampler: Sampler, random: Random) =>
    Array.from({ length: 50 }, () => JSON.stringify(sampler.next(random)));
  // The used sampler has already drawn other values when it gets seed 2.
  const first = drawFifty(used, randomFrom(1));
  expect(drawFifty(fresh, randomFrom(2))).toEqual(drawFifty(used, randomFrom(2)));
  expect(drawFifty(fresh, randomFrom(1))).toEqual(first);
  expect(drawFifty(fresh, randomFrom(3))).not.toEqual(first);
});
