import fc from "fast-check";
import { expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { allObjects, closed, conditionals } from "../testing/conditionals.fixture.ts";
import { id } from "../testing/schemas.fixture.ts";
import { type Manner, solve } from "./solve.ts";

/** How many times as many schemas as usual are tried: `TOUCHSTONE_RUNS=100` for a night. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const manners: (Manner | undefined)[] = [undefined, "plain", "learning"];

it(
  "finds an object where Ajv knows one, and proves that there is none where it knows none",
  async () => {
    const counts = { found: 0, none: 0, gaveUp: 0 };
    await fc.assert(
      fc.asyncProperty(conditionals, fc.boolean(), async (made, sign) => {
        const schema = { ...made, $id: id, $defs: { closed } };
        const ajv = compileAjv([schema], id, "quick");
        const expected = allObjects.filter((object) => ajv(object) === sign);
        const model = await compileModel([schema], id);
        for (const manner of manners) {
          const solution = solve(
            model,
            [
              { op: "schema", node: model.root, sign, scope: {} },
              { op: "schema", node: `${id}#/$defs/closed`, sign: true, scope: {} },
            ],
            manner === undefined ? {} : { manner, budget: 30_000 },
          );
          if ("gaveUp" in solution) {
            // Only what goes from shape to shape may end before it knows.
            if (manner !== "plain") counts.gaveUp += 1;
          } else if ("none" in solution) {
            counts.none += 1;
            expect(expected).toEqual([]);
          } else {
            counts.found += 1;
            expect(expected).toContainEqual(solution.found);
          }
        }
      }),
      { seed: 46, numRuns: 150 * runs },
    );
    expect(counts.gaveUp).toBe(0);
    expect(counts.found).toBeGreaterThan(150 * runs);
    expect(counts.none).toBeGreaterThan(50 * runs);
  },
  60_000 * runs,
);
