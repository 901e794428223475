import { expect, it } from "vitest";
import { factorsOf } from "./choices.ts";
import { drawParties } from "./population.ts";
import { toy } from "./trial-ground.fixture.ts";

const { protocol, live } = toy;
const factors = factorsOf(protocol, live, "agent");

it("contains parties with at most one choice of each factor, from all factors to none", async () => {
  const parties = await drawParties(protocol, live, 400, 7);
  for (const { choices } of parties)
    for (const factor of factors)
      expect(factor.choices.filter(({ name }) => choices.includes(name)).length).toBeLessThan(2);
  const sizes = new Set(parties.map(({ choices }) => choices.length));
  expect([...sizes].sort()).toEqual([0, 1, 2, 3, 4]);
});

it("is the same for the same seed; a larger one begins with a smaller one", async () => {
  const [fewParties, manyParties, otherParties] = await Promise.all([
    drawParties(protocol, live, 20, 7),
    drawParties(protocol, live, 60, 7),
    drawParties(protocol, live, 20, 8),
  ]);
  expect(manyParties.slice(0, 20)).toEqual(fewParties);
  expect(otherParties).not.toEqual(fewParties);
});
