import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { edited, edits } from "../testing/edits.fixture.ts";
import { id, instancesFor, schema } from "../testing/schemas.fixture.ts";
import { type Comparison, compareSchemas } from "./compare.ts";

// Random schemas against edited ones. TOUCHSTONE_RUNS=2000 is a night's work.
const numRuns = Number(process.env.TOUCHSTONE_RUNS ?? 25);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 17);

const instancesEach = 80;

type Judge = (value: Json) => boolean | undefined;

/** Undefined for what is no schema, or applies itself for ever. */
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
  "is right or undecided about random edits, as validators judge random instances",
  async () => {
    const count = { pairs: 0, decided: 0, directions: 0, found: 0, disputed: 0, shown: 0 };
    await fc.assert(
      fc.asyncProperty(schema, edits, fc.nat(1_000_000), async (old, changes, draw) => {
        const young = edited(old, changes);
        const judges = { old: await judgeOf(old), new: await judgeOf(young) };
        const result = await outcomeOf(old, young);
        if (result === undefined || judges.old === undefined || judges.new === undefined) return;
        count.pairs += 1;
        const instances = [old, young].flatMap((each) =>
          fc.sample(instancesFor(each), { seed: draw, numRuns: instancesEach / 2 }),
        );
        for (const change of ["refused", "accepted"] as const) {
          const own = result.differences.filter((each) => each.change === change);
          const sure = own.filter(({ disputed }) => disputed === undefined);
          count.directions += 1;
          count.found += sure.length;
          count.disputed += own.length - sure.length;
          const isDecided = result.open[change] === undefined;
          if (isDecided || sure.length > 0) count.decided += 1;
          const [accepts, refuses] = change === "refused" ? [judges.old, judges.new] : [judges.new, judges.old];
          // A difference that is reported exists; one that is proven absent does not.
          for (const { message } of sure)
            expect([message, accepts(message), refuses(message)]).toEqual([message, true, false]);
          const shown = instances.filter((value) => accepts(value) === true && refuses(value) === false);
          if (shown.length > 0) count.shown += 1;
          if (isDecided && own.length === 0) expect(shown).toEqual([]);
        }
      }),
      { seed, numRuns },
    );
    if (process.env.TOUCHSTONE_RUNS !== undefined) console.info(count);
    expect(count.decided).toBeGreaterThan(count.directions * 0.8);
  },
  60_000 + numRuns * 5000,
);

it("finds nothing between a schema and itself", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (same) => {
      const result = await outcomeOf(same, structuredClone(same));
      if (result !== undefined) expect(result.differences).toEqual([]);
    }),
    { seed, numRuns: Math.min(numRuns, 200) },
  );
});
