import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { allObjects, closedObject, conditionals } from "../testing/conditionals.fixture.ts";
import { id } from "../testing/schemas.fixture.ts";
import { type Manner, solve } from "./solve.ts";

/** How many times as many schemas as usual are tried: `TOUCHSTONE_RUNS=100` for a night. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const manners: (Manner | undefined)[] = [undefined, "plain", "learning"];

it(
  "finds an object if there is one, and proves that there is none otherwise, according to Ajv and Hyperjump",
  async () => {
    const counts = { found: 0, none: 0, gaveUp: 0 };
    await fc.assert(
      fc.asyncProperty(conditionals, fc.boolean(), async (made, sign) => {
        const schema = { ...made, $id: id, $defs: { closed: closedObject } };
        const ajv = compileAjv([schema], id, "quick");
        const hyperjump = await compileHyperjump([schema], id);
        const model = await compileModel([schema], id);
        // Knowledge from one question must hold for the others.
        for (const isAsked of [sign, !sign, sign]) {
          // Ajv counts members evaluated by a failing branch: objects on which the two disagree do not count.
          const isExpected = (object: JsonObject) => ajv(object) === isAsked && hyperjump(object) === isAsked;
          const isUnexpected = (object: JsonObject) => ajv(object) !== isAsked && hyperjump(object) !== isAsked;
          const first = allObjects.find(isExpected);
          for (const manner of manners) {
            const solution = solve(
              model,
              [
                { op: "schema", node: model.root, sign: isAsked, scope: {} },
                { op: "schema", node: `${id}#/$defs/closed`, sign: true, scope: {} },
              ],
              manner === undefined ? {} : { manner, budget: 30_000 },
            );
            if ("gaveUp" in solution) {
              // Only a search from shape to shape may give up.
              if (manner !== "plain") counts.gaveUp += 1;
            } else if ("none" in solution) {
              counts.none += 1;
              expect(first).toBeUndefined();
            } else {
              counts.found += 1;
              expect(allObjects).toContainEqual(solution.found);
              expect(isUnexpected(solution.found as JsonObject)).toBe(false);
            }
          }
        }
      }),
      { seed: 46, numRuns: 60 * runs },
    );
    expect(counts.gaveUp).toBe(0);
    expect(counts.found).toBeGreaterThan(150 * runs);
    expect(counts.none).toBeGreaterThan(50 * runs);
  },
  60_000 * runs,
);
