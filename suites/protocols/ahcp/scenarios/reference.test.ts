import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Hook, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { agent } from "./agent/index.ts";
import { scenarios as ahcp } from "./index.ts";

const protocol = protocolNamed("ahcp");

it("has scenarios only for rules of the catalogue, each with a different name", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(ahcp.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(ahcp.map(({ name }) => name)).size).toBe(ahcp.length);
});

it("covers the rules that the catalogue lists as covered by scenarios, including scenarios with the suite as the hub", () => {
  const coveredHere = new Set([...ahcp, ...agent.scenarios].flatMap(({ rules }) => rules));
  const coveredInCatalogue = protocol.rules.filter(
    ({ status }) => "covered" in status && status.covered === "scenarios",
  );
  expect(coveredInCatalogue.filter(({ id }) => !coveredHere.has(id))).toEqual([]);
  const silent = protocol.rules.filter(({ id, status }) => coveredHere.has(id) && !("covered" in status));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

it("lists a cause before its consequences, and nothing as its own consequence", () => {
  const causesByRule = new Map(protocol.rules.map(({ id, follows = [] }) => [id, follows]));
  const order = ahcp.flatMap(({ rules }) => rules);
  const causePairs = [...causesByRule].flatMap(([id, causes]) => causes.map((cause) => ({ id, cause })));
  expect(causePairs.length).toBeGreaterThan(0);
  const lateCauses = causePairs.filter(
    ({ id, cause }) => order.includes(id) && order.indexOf(cause) > order.lastIndexOf(id),
  );
  expect(lateCauses).toEqual([]);
  const rootsOf = (id: string, depth = 0): boolean =>
    depth < 9 && (causesByRule.get(id) ?? []).every((cause) => causesByRule.has(cause) && rootsOf(cause, depth + 1));
  expect([...causesByRule.keys()].filter((id) => !rootsOf(id))).toEqual([]);
});

/** `TOUCHSTONE_RUNS=20` looks for flakes: this many seeds, each set up for development and for production. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const plays = (runs === 1 ? (["development"] as const) : (["development", "production"] as const)).flatMap((profile) =>
  Array.from({ length: runs }, (_, index) => [profile, index + 1] as const),
);

it.each(plays)("the reference in %s conforms in all scenarios, seed %i", { timeout: 300_000 }, async (...play) => {
  const [profile, seed] = play;
  // Limits are reached, so they are low here for short tests.
  const { setting, close } = await hubEnvironment({ profile, limits: { requestsPerMinute: 1200, inboxDepth: 300 } });
  try {
    const actors = new Set<string>();
    const resolve = setting.hooks?.resolve as Hook;
    const noting: Hook = (input) => {
      actors.add(String(input.actor).replace(`agent:${setting.credentials?.a?.agent}`, "agent:A"));
      return resolve(input);
    };
    const noted = { ...setting, hooks: { ...setting.hooks, resolve: noting } };
    const results = await playScenarios({ protocol, scenarios: ahcp, setting: noted, seed });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBe(ahcp.flatMap(({ rules }) => rules).length);
    const guide = readFileSync(new URL("../../../guides/configuration.md", import.meta.url), "utf8");
    const [, hookText = ""] = /\*\*`resolve`\.\*\*(.*?)\n\n/s.exec(guide) ?? [];
    const namedActors = [...hookText.matchAll(/`((?:human|agent):[^`]+)`/g)].map(([, name = ""]) => name);
    expect(namedActors.sort()).toEqual([...actors].sort());
  } finally {
    await close();
  }
});
