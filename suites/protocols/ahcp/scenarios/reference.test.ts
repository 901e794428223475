import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Hook, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { agent } from "./agent/index.ts";
import { scenarios as ahcpScenarios } from "./index.ts";

const protocol = protocolNamed("ahcp");

it("has scenarios only for existing rules, with unique names", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(ahcpScenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(ahcpScenarios.map(({ name }) => name)).size).toBe(ahcpScenarios.length);
});

it("covers exactly the rules that the catalogue lists as covered by scenarios", () => {
  const coveredRules = new Set([...ahcpScenarios, ...agent.scenarios].flatMap(({ rules }) => rules));
  const coveredInCatalogue = protocol.rules.filter(
    ({ status }) => "covered" in status && status.covered === "scenarios",
  );
  expect(coveredInCatalogue.filter(({ id }) => !coveredRules.has(id))).toEqual([]);
  const unlistedRules = protocol.rules.filter(({ id, status }) => coveredRules.has(id) && !("covered" in status));
  expect(unlistedRules.map(({ id }) => id)).toEqual([]);
});

it("plays causes before their consequences, and has no rule that causes itself", () => {
  const causesByRule = new Map(protocol.rules.map(({ id, follows = [] }) => [id, follows]));
  const order = ahcpScenarios.flatMap(({ rules }) => rules);
  const causePairs = [...causesByRule].flatMap(([id, causes]) => causes.map((cause) => ({ id, cause })));
  expect(causePairs.length).toBeGreaterThan(0);
  const lateCauses = causePairs.filter(
    ({ id, cause }) => order.includes(id) && order.indexOf(cause) > order.lastIndexOf(id),
  );
  expect(lateCauses).toEqual([]);
  const endsWithoutCycle = (id: string, depth = 0): boolean =>
    depth < 9 &&
    (causesByRule.get(id) ?? []).every((cause) => causesByRule.has(cause) && endsWithoutCycle(cause, depth + 1));
  expect([...causesByRule.keys()].filter((id) => !endsWithoutCycle(id))).toEqual([]);
});

/** Set `TOUCHSTONE_RUNS=20` to look for flakes: it plays this many seeds, each in development and in production. */
const runCount = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const playCases = (runCount === 1 ? (["development"] as const) : (["development", "production"] as const)).flatMap(
  (profile) => Array.from({ length: runCount }, (_, index) => [profile, index + 1] as const),
);

it.each(playCases)("conforms in all scenarios in %s with seed %i", { timeout: 300_000 }, async (...play) => {
  const [profile, seed] = play;
  // Scenarios reach the limits, so low limits keep the test short.
  const { setting, close } = await hubEnvironment({ profile, limits: { requestsPerMinute: 1200, inboxDepth: 300 } });
  try {
    const actors = new Set<string>();
    const resolve = setting.hooks?.resolve as Hook;
    const recordingHook: Hook = (input) => {
      actors.add(String(input.actor).replace(`agent:${setting.credentials?.a?.agent}`, "agent:A"));
      return resolve(input);
    };
    const recordingSetting = { ...setting, hooks: { ...setting.hooks, resolve: recordingHook } };
    const results = await playScenarios({ protocol, scenarios: ahcpScenarios, setting: recordingSetting, seed });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBe(ahcpScenarios.flatMap(({ rules }) => rules).length);
    const guide = readFileSync(new URL("../../../guides/configuration.md", import.meta.url), "utf8");
    const [, hookText = ""] = /\*\*`resolve`\.\*\*(.*?)\n\n/s.exec(guide) ?? [];
    const namedActors = [...hookText.matchAll(/`((?:human|agent):[^`]+)`/g)].map(([, name = ""]) => name);
    expect(namedActors.sort()).toEqual([...actors].sort());
  } finally {
    await close();
  }
});
