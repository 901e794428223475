import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { allObjects, closedObject, conditionals } from "../testing/conditionals.fixture.ts";
import { id } from "../testing/schemas.fixture.ts";
import { type Manner, solve } from "./solve.ts";

/** Multiplies the number of schemas that are tried. `TOUCHSTONE_RUNS=100` takes a night. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const manners: (Manner | undefined)[] = [undefined, "plain", "learning"];

it(
  "finds an object if there is one, and proves that there is none otherwise, according to Ajv and Hyperjump",
  async () => {
    const counts = { found: 0, none: 0, gaveUp: 0 };
    await fc.assert(
      fc.asyncProperty(conditionals, fc.boolean(), async (generatedSchema, sign) => {
        const schema = { ...generatedSchema, $id: id, $defs: { closed: closedObject } };
        const ajv = compileAjv([schema], id, "quick");
        const hyperjump = await compileHyperjump([schema], id);
        const model = await compileModel([schema], id);
        // Clauses learnt from one question must hold for the others.
        for (const wantedVerdict of [sign, !sign, sign]) {
          // In Ajv, a failing branch also evaluates members. Objects on which the two disagree do not count.
          const isExpected = (object: JsonObject) =>
            ajv(object) === wantedVerdict && hyperjump(object) === wantedVerdict;
          const isUnexpected = (object: JsonObject) =>
            ajv(object) !== wantedVerdict && hyperjump(object) !== wantedVerdict;
          const firstExpected = allObjects.find(isExpected);
          for (const manner of manners) {
            const solution = solve(
              model,
              [
                { op: "schema", node: model.root, sign: wantedVerdict, scope: {} },
                { op: "schema", node: `${id}#/$defs/closed`, sign: true, scope: {} },
              ],
              manner === undefined ? {} : { manner, budget: 30_000 },
            );
            if ("gaveUp" in solution) {
              // Only a plain search may give up.
              if (manner !== "plain") counts.gaveUp += 1;
            } else if ("none" in solution) {
              counts.none += 1;
              expect(firstExpected).toBeUndefined();
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
