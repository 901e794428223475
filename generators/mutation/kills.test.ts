import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { planVectors } from "../corpus/plan.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { Witnesses, witnessOf } from "./kills.ts";
import { mutateModel } from "./mutant.ts";

const nested: JsonObject = {
  type: "object",
  required: ["kind"],
  properties: { kind: { enum: ["a", "b"] }, list: { type: "array", items: { $ref: "#/$defs/part" } } },
  oneOf: [
    { properties: { kind: { const: "a" } } },
    { not: { properties: { kind: { const: "a" } } }, required: ["list"] },
  ],
  $defs: { part: { type: ["string", "integer"], minimum: 1, minLength: 1, if: { const: "x" }, then: false } },
};

describe("the killers of a mutant", () => {
  it.each<[string, JsonObject]>([
    ["choices, conditions and references", nested],
    ["unevaluated members", { allOf: [{ properties: { a: { type: "string" } } }], unevaluatedProperties: false }],
    [
      "a reference that evaluates members",
      {
        allOf: [{ $ref: "#/$defs/part" }],
        unevaluatedProperties: false,
        $defs: { part: { type: "object", properties: { a: { type: "string" } } } },
      },
    ],
  ])("are those that a complete evaluation finds, in a schema with %s", async (_name, schema) => {
    const model = await compileModel([document(schema)], id);
    const { valid, invalid, mutants } = planVectors({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
    const witnesses = [...valid, ...invalid].map(({ data }) => witnessOf(model, data));
    const killFinder = new Witnesses(model, witnesses);
    for (const mutant of mutants.all) {
      const mutatedModel = mutateModel(model, mutant);
      const killers = killFinder.findKillers(mutant, Number.POSITIVE_INFINITY);
      const expectedKillers = witnesses.filter((witness) => isValid(mutatedModel, witness.data) !== witness.valid);
      expect([mutant.says, killers.map(({ data }) => data)]).toEqual([
        mutant.says,
        expectedKillers.map(({ data }) => data),
      ]);
      expect(killFinder.findKillers(mutant, 1)).toEqual(expectedKillers.slice(0, 1));
      const from = Math.floor(witnesses.length / 2);
      expect(killFinder.findKillers(mutant, 2, { from })).toEqual(
        expectedKillers.filter((witness) => witnesses.indexOf(witness) >= from).slice(0, 2),
      );
    }
  });
});
