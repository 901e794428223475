import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agent-conventions");

it("has uniquely named scenarios, which refer only to rules of the catalogue", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers exactly the rules that the catalogue lists as covered by scenarios", () => {
  const coveredByScenarios = new Set(scenarios.flatMap(({ rules }) => rules));
  const coveredInCatalogue = protocol.rules.filter(
    ({ status }) => "covered" in status && status.covered === "scenarios",
  );
  expect(coveredInCatalogue.filter(({ id }) => !coveredByScenarios.has(id)).map(({ id }) => id)).toEqual([]);
  const unmarked = protocol.rules.filter(({ id, status }) => coveredByScenarios.has(id) && !("covered" in status));
  expect(unmarked.map(({ id }) => id)).toEqual([]);
});

/** Set `TOUCHSTONE_RUNS=20`, for example, to play more seeds and find flaky scenarios. */
const seeds = Array.from({ length: Number(process.env.TOUCHSTONE_RUNS ?? 3) }, (_, index) => index + 1);

describe.each(sidesOf(protocol))("the reference as %s", (side) => {
  const sideScenarios = ofSide(protocol, scenarios, side);

  it.each(seeds)("conforms in all scenarios, seed %i", async (seed) => {
    const { setting, close } = await live.open({ side });
    try {
      const results = await playScenarios({ protocol, scenarios: sideScenarios, setting, seed });
      expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
      expect(results.length).toBe(sideScenarios.flatMap(({ rules }) => rules).length);
      expect(results.length).toBeGreaterThan(0);
    } finally {
      await close();
    }
  });
});
