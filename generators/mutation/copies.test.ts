import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { editSchemas, type Mutant, mutateModel } from "./mutant.ts";
import { listMutants } from "./mutants.ts";

const schema: JsonObject = {
  allOf: [{ $ref: "#/$defs/envelope" }],
  properties: { urgency: { const: "low" }, other: { enum: ["low"] } },
  required: ["urgency"],
  oneOf: [
    { properties: { kind: { const: "a" }, size: { enum: ["s"] } }, required: ["kind"] },
    { properties: { kind: { const: "b" }, size: { enum: ["s", "l"] } }, required: ["kind"] },
  ],
  $defs: { envelope: { properties: { urgency: { enum: ["low", "high"] } }, required: ["urgency"] } },
};

describe("the same mistake in two copies", async () => {
  const schemas = [document(schema)];
  const model = await compileModel(schemas, id);
  const allMutants = listMutants(model, schemas);
  const pairs = allMutants.filter(({ operator }) => operator === "both-copies");
  const accepts = (mutant: Mutant, data: JsonObject): boolean[] => [
    isValid(mutateModel(model, mutant), data),
    compileAjv(editSchemas(schemas, mutant.edits), id, "quick")(data),
  ];

  it.each<[string, JsonObject]>([
    ["case does not matter", { kind: "a", urgency: "LOW" }],
    ["urgency is optional", { kind: "a" }],
  ])("accepts values that neither single-copy mutant accepts (%s)", (says, data) => {
    const isAboutUrgency = (mutant: Mutant) => mutant.says.includes(says) && !/\/(?:oneOf|other)\//.test(mutant.site);
    const singles = allMutants.filter((mutant) => mutant.operator !== "both-copies" && isAboutUrgency(mutant));
    expect(singles.length).toBeGreaterThan(1);
    for (const single of singles) expect(accepts(single, data)).toEqual([false, false]);
    const [pair, ...others] = pairs.filter(isAboutUrgency);
    expect(accepts(pair as Mutant, data)).toEqual([true, true]);
    expect(others).toEqual([]);
  });

  it("pairs only copies that apply to the same part of an instance", () => {
    for (const { edits } of pairs) expect(edits.some(({ at }) => at.includes("/other/"))).toBe(false);
  });

  it("is not made in two branches of a choice", () => {
    for (const { edits } of pairs) expect(edits.some(({ at }) => at.includes("/oneOf/"))).toBe(false);
  });
});
