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
const outcome = (solution: Solution): string => Object.keys(solution)[0] as string;
const options: fc.Arbitrary<SolveOptions> = fc.record(
  { full: fc.boolean(), hint: instance, manner: fc.constant("learning") },
  { requiredKeys: [] },
);

it("finds only values that both validators accept, or only values that both refuse if invalid ones are requested", async () => {
  let confirmed = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (generatedSchema, sign, solveOptions) => {
      const model = await compileModel([generatedSchema], id);
      const solution = ask(model, sign, solveOptions);
      if (!("found" in solution)) return;
      expect([solution.found, isValid(model, solution.found)]).toEqual([solution.found, sign]);
      const verdict = (await agreement(generatedSchema))(solution.found);
      if (verdict === undefined) return;
      expect([solution.found, verdict]).toEqual([solution.found, sign]);
      confirmed += 1;
    }),
    { seed: 42, numRuns: 250 },
  );
  expect(confirmed).toBeGreaterThan(150);
});

it("never proves that there is no value if there is one", async () => {
  let proofs = 0;
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
          if (outcome(ask(model, sign, solveOptions)) !== "none") continue;
          proofs += 1;
          // If implementations of a format differ on a value, it is not a counterexample.
          const isCounterexample = (value: Json) =>
            [true, false].every((formatDoubt) => isValid(model, value, { formatDoubt }) === sign);
          expect([sign, instances.filter(isCounterexample)]).toEqual([sign, []]);
        }
      },
    ),
    { seed: 43, numRuns: 250 },
  );
  expect(proofs).toBeGreaterThan(40);
});

it("finds the same solution each time", async () => {
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (generatedSchema, sign, solveOptions) => {
      const [one, other] = [
        await compileModel([generatedSchema], id),
        await compileModel([structuredClone(generatedSchema)], id),
      ];
      expect(JSON.stringify(ask(one, sign, solveOptions))).toBe(
        JSON.stringify(ask(other, sign, structuredClone(solveOptions))),
      );
    }),
    { seed: 44, numRuns: 120 },
  );
});

it("follows a hint, but never concludes from it that there is no value", async () => {
  await fc.assert(
    fc.asyncProperty(
      schema.chain((made) => fc.tuple(fc.constant(made), instancesFor(made))),
      fc.boolean(),
      fc.boolean(),
      async ([made, hint], sign, full) => {
        const model = await compileModel([made], id);
        const outcomes = [ask(model, sign, { full }), ask(model, sign, { full, hint })].map(outcome);
        expect([hint, outcomes.sort()]).not.toEqual([hint, ["found", "none"]]);
      },
    ),
    { seed: 45, numRuns: 200 },
  );
});
