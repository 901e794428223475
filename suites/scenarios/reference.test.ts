import { expect, it } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { agentScenarios } from "../agent/index.ts";
import { scenarios, stagedReference } from "./index.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const { ahcp = [] } = scenarios;

it("knows scenarios for rules of the catalogue only, each by a name of its own", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(ahcp.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(ahcp.map(({ name }) => name)).size).toBe(ahcp.length);
});

it("covers what the catalogue says is covered by scenarios, with those in which the suite is the hub", () => {
  const own = new Set([...ahcp, ...agentScenarios].flatMap(({ rules }) => rules));
  const said = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(said.filter(({ id }) => !own.has(id))).toEqual([]);
  const silent = protocol.rules.filter(({ id, status }) => own.has(id) && !("covered" in status));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

it("finds that the reference conforms in all of them", { timeout: 300_000 }, async () => {
  // Limits are met at their bounds, which are low here so that it does not take long.
  const { setting, close } = await stagedReference({ limits: { requestsPerMinute: 1200, inboxDepth: 300 } });
  try {
    const results = await playScenarios({ protocol, scenarios: ahcp, setting, seed: 1 });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBe(ahcp.flatMap(({ rules }) => rules).length);
  } finally {
    await close();
  }
});
