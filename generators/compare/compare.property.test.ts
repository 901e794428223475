import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { applyEdits, edits } from "../testing/edits.fixture.ts";
import { id, instancesFor, schema } from "../testing/schemas.fixture.ts";
import { type Comparison, compareSchemas } from "./compare.ts";

// The number of random schemas that are compared with edited copies. TOUCHSTONE_RUNS=2000 runs all night.
const numRuns = Number(process.env.TOUCHSTONE_RUNS ?? 25);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 17);

const instancesPerPair = 80;

type Judge = (value: Json) => boolean | undefined;

/** Undefined for an invalid schema, or one that applies itself without end. */
async function outcomeOf(old: JsonObject, young: JsonObject): Promise<Comparison | undefined> {
  try {
    return await compareSchemas({ schemas: [old], id }, { schemas: [young], id });
  } catch {
    return undefined;
  }
}

async function judgeOf(version: JsonObject): Promise<Judge | undefined> {
  return agreement(version).catch(() => undefined);
}

it(
  "agrees with validators about random edits, or leaves them undecided",
  async () => {
    const count = { pairs: 0, decided: 0, directions: 0, found: 0, disputed: 0, shown: 0 };
    await fc.assert(
      fc.asyncProperty(schema, edits, fc.nat(1_000_000), async (old, changes, draw) => {
        const young = applyEdits(old, changes);
        const judges = { old: await judgeOf(old), new: await judgeOf(young) };
        const result = await outcomeOf(old, young);
        if (result === undefined || judges.old === undefined || judges.new === undefined) return;
        count.pairs += 1;
        const instances = [old, young].flatMap((each) =>
          fc.sample(instancesFor(each), { seed: draw, numRuns: instancesPerPair / 2 }),
        );
        for (const change of ["refused", "accepted"] as const) {
          const differences = result.differences.filter((difference) => difference.change === change);
          const undisputed = differences.filter(({ disputed }) => disputed === undefined);
          count.directions += 1;
          count.found += undisputed.length;
          count.disputed += differences.length - undisputed.length;
          const isDecided = result.open[change] === undefined;
          if (isDecided || undisputed.length > 0) count.decided += 1;
          const [accepting, refusing] = change === "refused" ? [judges.old, judges.new] : [judges.new, judges.old];
          // A reported difference exists; one that is proven absent does not.
          for (const { message } of undisputed)
            expect([message, accepting(message), refusing(message)]).toEqual([message, true, false]);
          const observed = instances.filter((value) => accepting(value) === true && refusing(value) === false);
          if (observed.length > 0) count.shown += 1;
          if (isDecided && differences.length === 0) expect(observed).toEqual([]);
        }
      }),
      { seed, numRuns },
    );
    if (process.env.TOUCHSTONE_RUNS !== undefined) console.info(count);
    expect(count.decided).toBeGreaterThan(count.directions * 0.8);
  },
  60_000 + numRuns * 5000,
);

it("finds no difference between a schema and its copy", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (same) => {
      const result = await outcomeOf(same, structuredClone(same));
      if (result !== undefined) expect(result.differences).toEqual([]);
    }),
    { seed, numRuns: Math.min(numRuns, 200) },
  );
});
