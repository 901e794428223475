import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { id, instance, instancesFor, schema } from "../testing/schemas.fixture.ts";
import { type Solution, type SolveOptions, solve } from "./solve.ts";

const budget = 15_000;
const ask = (model: Model, sign: boolean, options: SolveOptions = {}): Solution =>
  solve(model, [{ op: "schema", node: model.root, sign, scope: {} }], { budget, ...options });
const outcomeOf = (solution: Solution): string => Object.keys(solution)[0] as string;
const options: fc.Arbitrary<SolveOptions> = fc.record(
  { full: fc.boolean(), hint: instance, manner: fc.constant("learning") },
  { requiredKeys: [] },
);

it("finds only values that both validators accept, or only values that both refuse if it looks for invalid ones", async () => {
  let confirmedCount = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (generatedSchema, sign, solveOptions) => {
      const model = await compileModel([generatedSchema], id);
      const solution = ask(model, sign, solveOptions);
      if (!("found" in solution)) return;
      expect([solution.found, isValid(model, solution.found)]).toEqual([solution.found, sign]);
      const verdict = (await agreement(generatedSchema))(solution.found);
      if (verdict === undefined) return;
      expect([solution.found, verdict]).toEqual([solution.found, sign]);
      confirmedCount += 1;
    }),
    { seed: 42, numRuns: 250 },
  );
  expect(confirmedCount).toBeGreaterThan(150);
});

it("never proves that there is no value if there is one", async () => {
  let proofCount = 0;
  await fc.assert(
    fc.asyncProperty(
      schema.chain((generatedSchema) =>
        fc.tuple(
          fc.constant(generatedSchema),
          fc.array(instancesFor(generatedSchema), { minLength: 200, maxLength: 200 }),
        ),
      ),
      options,
      async ([generatedSchema, instances], solveOptions) => {
        const model = await compileModel([generatedSchema], id);
        for (const sign of [true, false]) {
          if (outcomeOf(ask(model, sign, solveOptions)) !== "none") continue;
          proofCount += 1;
          // If implementations of a format differ on a value, it is not a counterexample.
          const isCounterexample = (value: Json) =>
            [true, false].every((formatDoubt) => isValid(model, value, { formatDoubt }) === sign);
          expect([sign, instances.filter(isCounterexample)]).toEqual([sign, []]);
        }
      },
    ),
    { seed: 43, numRuns: 250 },
  );
  expect(proofCount).toBeGreaterThan(40);
});

it("finds the same solution each time", async () => {
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (generatedSchema, sign, solveOptions) => {
      const [firstModel, secondModel] = [
        await compileModel([generatedSchema], id),
        await compileModel([structuredClone(generatedSchema)], id),
      ];
      expect(JSON.stringify(ask(firstModel, sign, solveOptions))).toBe(
        JSON.stringify(ask(secondModel, sign, structuredClone(solveOptions))),
      );
    }),
    { seed: 44, numRuns: 120 },
  );
});

it("follows a hint, but never concludes from it that there is no value", async () => {
  await fc.assert(
    fc.asyncProperty(
      schema.chain((generatedSchema) => fc.tuple(fc.constant(generatedSchema), instancesFor(generatedSchema))),
      fc.boolean(),
      fc.boolean(),
      async ([generatedSchema, hint], sign, full) => {
        const model = await compileModel([generatedSchema], id);
        const outcomes = [ask(model, sign, { full }), ask(model, sign, { full, hint })].map(outcomeOf);
        expect([hint, outcomes.sort()]).not.toEqual([hint, ["found", "none"]]);
      },
    ),
    { seed: 45, numRuns: 200 },
  );
});
