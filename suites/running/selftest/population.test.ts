import { expect, it } from "vitest";
import { factorsOf } from "./choices.ts";
import { drawParties, drawScenarios } from "./population.ts";
import { toy } from "./trial-ground.fixture.ts";

const { protocol, live, scenarios } = toy;
const factors = factorsOf(protocol, live, "agent");

it("draws at most one choice of each factor, for any number of factors", async () => {
  const parties = await drawParties(protocol, live, 400, 7);
  for (const { choices } of parties)
    for (const factor of factors)
      expect(factor.choices.filter(({ name }) => choices.includes(name)).length).toBeLessThan(2);
  const sizes = new Set(parties.map(({ choices }) => choices.length));
  expect([...sizes].sort()).toEqual([0, 1, 2, 3, 4]);
});

it("draws the same parties for the same seed, and begins a larger population with the smaller one", async () => {
  const [fewParties, manyParties, otherParties] = await Promise.all([
    drawParties(protocol, live, 20, 7),
    drawParties(protocol, live, 60, 7),
    drawParties(protocol, live, 20, 8),
  ]);
  expect(manyParties.slice(0, 20)).toEqual(fewParties);
  expect(otherParties).not.toEqual(fewParties);
});

it("draws some scenarios for each party, and every scenario for some party", async () => {
  const names = ["one", "two", "three", "four", "five", "six"];
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error("no scenario");
  const manyScenarios = names.map((name) => ({ ...scenario, name }));
  const draw = async () =>
    Promise.all(
      (await drawParties(protocol, live, 20, 7)).map((party) =>
        drawScenarios(protocol, manyScenarios, party, { count: 2, seed: 7 }),
      ),
    );
  const parties = await draw();
  expect(await draw()).toEqual(parties);
  expect(parties.every(({ plays = [] }) => new Set(plays).size === 2)).toBe(true);
  expect(new Set(parties.flatMap(({ plays = [] }) => plays))).toEqual(new Set(names));
  const partyWithAllScenarios = { index: 0, side: "agent", choices: [] };
  expect(await drawScenarios(protocol, manyScenarios, partyWithAllScenarios, { count: 6, seed: 7 })).toEqual(
    partyWithAllScenarios,
  );
});
