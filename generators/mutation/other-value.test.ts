import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equal, type Json } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { solutions, solve } from "../solve/solve.ts";
import { document, id, instance } from "../testing/schemas.fixture.ts";
import { otherThan } from "./other-value.ts";

describe("otherThan", () => {
  it("holds for every value except the given one", async () => {
    const model = await compileModel([document({})], id);
    fc.assert(
      fc.property(instance, instance, (value, candidate) => {
        const solution = solve(model, [otherThan(value), { op: "in", values: [candidate] }]);
        expect("found" in solution).toBe(!equal(value, candidate));
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it.each<[string, Json[], Parameters<typeof document>[0]]>([
    ["a constant", [{ a: [1, "x"] }], { const: { a: [1, "x"] } }],
    [
      "an object of one member",
      [{ a: 1 }],
      { type: "object", required: ["a"], properties: { a: { const: 1 } }, additionalProperties: false },
    ],
    ["a list of one item", [[true]], { type: "array", minItems: 1, maxItems: 1, items: { const: true } }],
    ["null", [null], { type: "null" }],
  ])("proves that no other value is left if the schema allows only %s", async (_name, values, schema) => {
    const model = await compileModel([document(schema)], id);
    const holds = { op: "schema", node: model.root, sign: true, scope: {} } as const;
    expect([...solutions(model, [holds, ...values.map(otherThan)], { limit: 3 })]).toEqual([{ none: true }]);
    expect(solve(model, [holds, otherThan("something else")])).toEqual({ found: values[0] });
  });
});
