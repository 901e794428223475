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

it("finds only values that both validators accept, or refuse if that was requested", async () => {
  let confirmed = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (made, sign, preference) => {
      const model = await compileModel([made], id);
      const solution = ask(model, sign, preference);
      if (!("found" in solution)) return;
      expect([solution.found, isValid(model, solution.found)]).toEqual([solution.found, sign]);
      const verdict = (await agreement(made))(solution.found);
      if (verdict === undefined) return;
      expect([solution.found, verdict]).toEqual([solution.found, sign]);
      confirmed += 1;
    }),
    { seed: 42, numRuns: 250 },
  );
  expect(confirmed).toBeGreaterThan(150);
});

it("never says that there is no value if there is one", async () => {
  let proofs = 0;
  await fc.assert(
    fc.asyncProperty(
      schema.chain((made) =>
        fc.tuple(fc.constant(made), fc.array(instancesFor(made), { minLength: 200, maxLength: 200 })),
      ),
      options,
      async ([made, instances], preference) => {
        const model = await compileModel([made], id);
        for (const sign of [true, false]) {
          if (outcome(ask(model, sign, preference)) !== "none") continue;
          proofs += 1;
          // Where implementations of a format differ, a value counts for neither side.
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

it("gives the same answer to the same question", async () => {
  await fc.assert(
    fc.asyncProperty(schema, fc.boolean(), options, async (made, sign, preference) => {
      const [one, other] = [await compileModel([made], id), await compileModel([structuredClone(made)], id)];
      expect(JSON.stringify(ask(one, sign, preference))).toBe(
        JSON.stringify(ask(other, sign, structuredClone(preference))),
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
