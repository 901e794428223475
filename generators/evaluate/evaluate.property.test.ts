import fc from "fast-check";
import { expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { solve } from "../solve/solve.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { id, instancesFor, schema } from "../testing/schemas.fixture.ts";
import { isValid } from "./evaluate.ts";

const schemaAndInstances = schema.chain((generated) =>
  fc.tuple(fc.constant(generated), fc.array(instancesFor(generated), { minLength: 20, maxLength: 20 })),
);

it("agrees with both validators whenever they agree with each other", async () => {
  const counts = { valid: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(schemaAndInstances, async ([generated, instances]) => {
      const model = await compileModel([generated], id);
      const judge = await agreement(generated);
      const solved = [true, false].flatMap((sign) => {
        const solution = solve(model, [{ op: "schema", node: model.root, sign, scope: {} }], { budget: 10_000 });
        return "found" in solution ? [solution.found] : [];
      });
      for (const instance of [...instances, ...solved]) {
        const verdict = judge(instance);
        const ourVerdict = isValid(model, instance);
        // A string on which the implementations of a format disagree has no verdict.
        if (verdict === undefined || ourVerdict !== isValid(model, instance, { formatDoubt: true })) continue;
        counts[verdict ? "valid" : "invalid"] += 1;
        expect([JSON.stringify(instance), ourVerdict]).toEqual([JSON.stringify(instance), verdict]);
      }
    }),
    { seed: 42, numRuns: 200 },
  );
  expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(1000);
});
