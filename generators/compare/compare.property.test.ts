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
async function outcomeOf(old: JsonObject, newer: JsonObject): Promise<Comparison | undefined> {
  try {
    return await compareSchemas({ schemas: [old], id }, { schemas: [newer], id });
  } catch {
    return undefined;
  }
}

async function judgeOf(version: JsonObject): Promise<Judge | undefined> {
  return agreement(version).catch(() => undefined);
}

it(
  "agrees with validators about random edits, or reports them as undecided",
  async () => {
    const counts = { pairs: 0, decided: 0, directions: 0, found: 0, disputed: 0, shown: 0 };
    await fc.assert(
      fc.asyncProperty(schema, edits, fc.nat(1_000_000), async (old, changes, draw) => {
        const newer = applyEdits(old, changes);
        const judges = { old: await judgeOf(old), new: await judgeOf(newer) };
        const result = await outcomeOf(old, newer);
        if (result === undefined || judges.old === undefined || judges.new === undefined) return;
        counts.pairs += 1;
        const instances = [old, newer].flatMap((version) =>
          fc.sample(instancesFor(version), { seed: draw, numRuns: instancesPerPair / 2 }),
        );
        for (const change of ["refused", "accepted"] as const) {
          const differences = result.differences.filter((difference) => difference.change === change);
          const undisputed = differences.filter(({ disputed }) => disputed === undefined);
          counts.directions += 1;
          counts.found += undisputed.length;
          counts.disputed += differences.length - undisputed.length;
          const isDecided = result.open[change] === undefined;
          if (isDecided || undisputed.length > 0) counts.decided += 1;
          const [accepting, refusing] = change === "refused" ? [judges.old, judges.new] : [judges.new, judges.old];
          // Both validators confirm each reported difference. If a direction is proven to have none, no instance may show one.
          for (const { message } of undisputed)
            expect([message, accepting(message), refusing(message)]).toEqual([message, true, false]);
          const observed = instances.filter((value) => accepting(value) === true && refusing(value) === false);
          if (observed.length > 0) counts.shown += 1;
          if (isDecided && differences.length === 0) expect(observed).toEqual([]);
        }
      }),
      { seed, numRuns },
    );
    if (process.env.TOUCHSTONE_RUNS !== undefined) console.info(counts);
    expect(counts.decided).toBeGreaterThan(counts.directions * 0.8);
  },
  60_000 + numRuns * 5000,
);

it("does not find a difference between a schema and its copy", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (same) => {
      const result = await outcomeOf(same, structuredClone(same));
      if (result !== undefined) expect(result.differences).toEqual([]);
    }),
    { seed, numRuns: Math.min(numRuns, 200) },
  );
});
