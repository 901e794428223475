import fc from "fast-check";
import { expect, it } from "vitest";
import { drawsOf } from "../../schemas/part.fixture.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { nodeAt } from "../model/model.ts";
import { id, schema } from "../testing/schemas.fixture.ts";
import { reach, reachBroken } from "./reach.ts";

it("reaches places in valid instances, and breaks their sites in invalid ones", async () => {
  const counts = { reached: 0, alone: 0, more: 0 };
  await fc.assert(
    fc.asyncProperty(schema, async (generated) => {
      const model = await compileModel([generated], id);
      for (const place of places(model).slice(0, 40)) {
        const reached = reach(model, place, []);
        if ("found" in reached) {
          counts.reached += 1;
          expect([place.steps, isValid(model, reached.found)]).toEqual([place.steps, true]);
        }
        const { keywords } = nodeAt(model, place.node);
        for (const { location: site } of keywords.flatMap((keyword) => sitesOf(keyword, model))) {
          const broken = reachBroken(model, place, site, null);
          if (!("found" in broken)) continue;
          expect([site, isValid(model, broken.found)]).toEqual([site, false]);
          counts[isValid(model, broken.found, { without: site }) ? "alone" : "more"] += 1;
        }
      }
    }),
    { seed: 42, numRuns: drawsOf(120) },
  );
  expect(counts.reached).toBeGreaterThan(drawsOf(200));
  // Rarely, two paths lead to one site, and a fault on one path breaks the site on the other too.
  expect(counts.alone).toBeGreaterThan(50 * counts.more);
});
