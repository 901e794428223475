import { expect, it } from "vitest";
import { protocolNamed, type Scenario } from "../../../schemas/index.ts";
import { expectedOf } from "../../running/scenarios/result.ts";
import { packOf } from "../pack/load.ts";
import { coreScenarios } from "./core.ts";
import { select } from "./select.ts";

const scenarioWith = (name: string, rules: string[], members: Partial<Scenario> = {}): { scenario: Scenario } => ({
  scenario: { name, says: "", rules, needs: [], withinMs: 1, play: async () => {}, ...members },
});

it("chooses quick scenarios until each rule is covered", () => {
  const [coversA, coversAB, slowScenario, waitsForClock] = [
    scenarioWith("one", ["A"]),
    scenarioWith("both", ["A", "B"]),
    scenarioWith("slow", ["C"], { slow: true }),
    scenarioWith("waits", ["A", "B", "D"], { waits: 5000 }),
  ];
  const limitScenario = scenarioWith("limit", ["E"], { reachesLimit: 1 });
  expect(coreScenarios([coversA, coversAB, slowScenario, waitsForClock, limitScenario, {}])).toEqual([coversAB]);
  expect(coreScenarios([])).toEqual([]);
});

it("the tag `core` selects a part of a protocol's scenarios, which covers most of its rules", async () => {
  for (const name of ["snap", "agentformat"]) {
    const protocol = protocolNamed(name);
    const { scenarios } = await packOf(protocol);
    const results = expectedOf(protocol, (await scenarios?.())?.scenarios ?? []);
    const selected = select(results, { only: ["tag:core"] }, { rules: protocol.rules });
    const countDistinct = (list: typeof results, memberOf: (expectedResult: (typeof results)[number]) => unknown) =>
      new Set(list.map(memberOf)).size;
    expect(countDistinct(selected, ({ scenario }) => scenario)).toBeLessThan(
      countDistinct(results, ({ scenario }) => scenario),
    );
    expect(countDistinct(selected, ({ rule }) => rule)).toBeGreaterThan(
      0.6 * countDistinct(results, ({ rule }) => rule),
    );
  }
});
