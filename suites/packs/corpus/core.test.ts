import { expect, it } from "vitest";
import { protocolNamed, type Scenario } from "../../../schemas/index.ts";
import { expectedOf } from "../../running/scenarios/result.ts";
import { packOf } from "../pack/load.ts";
import { coreScenarios } from "./core.ts";
import { select } from "./select.ts";

const story = (name: string, rules: string[], more: Partial<Scenario> = {}): { scenario: Scenario } => ({
  scenario: { name, says: "", rules, needs: [], withinMs: 1, play: async () => {}, ...more },
});

it("has the fewest quick scenarios that show each rule once", () => {
  const [one, both, slow, waits] = [
    story("one", ["A"]),
    story("both", ["A", "B"]),
    story("slow", ["C"], { slow: true }),
    story("waits", ["A", "B", "D"], { waits: 5000 }),
  ];
  const limit = story("limit", ["E"], { reachesLimit: 1 });
  expect(coreScenarios([one, both, slow, waits, limit, {}])).toEqual([both]);
  expect(coreScenarios([])).toEqual([]);
});

it("is chosen by its tag: of each protocol, some scenarios that cover most of its rules", async () => {
  for (const name of ["snap", "agentformat"]) {
    const protocol = protocolNamed(name);
    const { scenarios } = await packOf(protocol);
    const all = expectedOf(protocol, (await scenarios?.())?.scenarios ?? []);
    const chosen = select(all, { only: ["tag:core"] }, { rules: protocol.rules });
    const count = (some: typeof all, of: (expectedResult: (typeof all)[number]) => unknown) =>
      new Set(some.map(of)).size;
    expect(count(chosen, ({ scenario }) => scenario)).toBeLessThan(count(all, ({ scenario }) => scenario));
    expect(count(chosen, ({ rule }) => rule)).toBeGreaterThan(0.6 * count(all, ({ rule }) => rule));
  }
});
