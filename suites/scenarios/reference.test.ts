import { expect, it } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { scenarios, stagedReference } from "./index.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const { ahcp = [] } = scenarios;

it("knows scenarios for rules of the catalogue only, each by a name of its own", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(ahcp.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(ahcp.map(({ name }) => name)).size).toBe(ahcp.length);
});

it("finds that the reference conforms in all of them", { timeout: 300_000 }, async () => {
  const { setting, close } = await stagedReference();
  try {
    const results = await playScenarios({ protocol, scenarios: ahcp, setting, seed: 1 });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBe(ahcp.flatMap(({ rules }) => rules).length);
  } finally {
    await close();
  }
});
