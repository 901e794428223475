import { describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { drawParties } from "../../../running/selftest/population.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agent-conventions");
/** For example, `TOUCHSTONE_PARTIES=200` plays more parties, and `TOUCHSTONE_SEED=6` draws different ones. */
const partyCount = Number(process.env.TOUCHSTONE_PARTIES ?? 8);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);
const badOutcomes = ["violates", "warns", "errored", "timed-out"];

it("has choices with unique names and existing freedoms", () => {
  const freedomIds = new Set(freedomsOf(protocol).map(({ id }) => id));
  const { choices = [], twins = [] } = live;
  expect(
    [...choices, ...twins].flatMap(({ freedoms }) => freedoms).filter((freedom) => !freedomIds.has(freedom)),
  ).toEqual([]);
  expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length);
});

const { cases, said: partText } = partOf(
  await drawParties(protocol, live, partyCount, seed),
  ({ index }) => `${index}`,
  2,
);

describe.each(cases)(`a conforming $side with the choices $choices (${partText})`, (party) => {
  it("passes every scenario", async () => {
    const { side = "agent", choices, index } = party;
    const { setting, close } = await live.open({ side, choices });
    try {
      const sideScenarios = ofSide(protocol, scenarios, side);
      const results = await playScenarios({
        protocol,
        scenarios: sideScenarios,
        setting: { ...setting, timeScale: 0.3 },
        seed: index,
      });
      const accused = results.filter(({ outcome }) => badOutcomes.includes(outcome));
      expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
      expect(results.some(({ outcome }) => outcome === "conforms")).toBe(true);
    } finally {
      await close();
    }
  });
});
