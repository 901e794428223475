import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  coverageOfRule,
  type DocumentVectors,
  home,
  type Protocol,
  protocolsNamed,
  readPack,
  waysOf,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { explainName, playableScenarios } from "./index.ts";
import { placesOfRules, type RulePlaces, strayRules } from "./map.ts";

describe.each(protocolsNamed("all"))("the map of $name", (protocol) => {
  const places = placesOfRules(protocol);

  it("leads to the statement of each rule", () => {
    expect(protocol.rules.filter(({ id }) => places.get(id)?.statement.length !== 1)).toEqual([]);
  });

  it("leads from each checker, case and scenario to a file", async () => {
    const { families } = await ruled(protocol);
    const lost = (ids: readonly string[], part: keyof RulePlaces): string[] =>
      [...new Set(ids)].filter((id) => (places.get(id)?.[part].length ?? 0) === 0);
    const code = (id: string): boolean => {
      const { check = [], cases = [] } = places.get(id) ?? {};
      return check.length + cases.length > 0;
    };
    const checked = families.flatMap(({ checkers, cases }) => [...checkers, ...cases].map(({ rule }) => rule));
    expect([...new Set(checked)].filter((id) => !code(id))).toEqual([]);
    const played = (await playableScenarios(protocol)).flatMap(({ rules }) => rules);
    expect(lost(played, "scenarios").filter((id) => !code(id))).toEqual([]);
  });

  it("has no checker, case, scenario or variant without a rule", () => {
    expect(strayRules(protocol)).toEqual([]);
  });

  it("has for each rule a way to fail or a reason, and for each scenario a rule", async () => {
    const { files } = loadVectors(protocol);
    const scenarios = await playableScenarios(protocol);
    expect(openRules(protocol, files, scenarios)).toEqual([]);
    expect(scenarios.filter(({ rules }) => rules.length === 0)).toEqual([]);
    // Rules that only scenarios test cannot fail without them, and rules called untested are not tested.
    const played = protocol.rules.filter(({ check }) => check === "stateful").map(({ id }) => id);
    const open = openRules(protocol, files, []);
    expect(played.filter((id) => open.includes(id)).length).toBeGreaterThan(10);
    const [tested] = scenarios[0]?.rules ?? [];
    const rules = protocol.rules.map((rule) =>
      rule.id === tested ? { ...rule, status: { untested: "Hard." } } : { ...rule },
    );
    expect(openRules({ ...protocol, rules }, files, scenarios)).toEqual([tested]);
  });
});

/** Rules that are called covered although no test can fail for them; rules that are called untested although a test can, or without a reason. */
function openRules(
  { profile, rules }: Protocol,
  files: readonly DocumentVectors[],
  scenarios: Parameters<typeof coverageOfRule>[3],
): string[] {
  return rules
    .filter((rule) => {
      const isShown = waysOf(coverageOfRule(profile, rule, files, scenarios)).length > 0;
      const hasReason = Object.values(rule.status).every((reason) => reason.trim() !== "");
      return isShown !== "covered" in rule.status || !hasReason;
    })
    .map(({ id }) => id);
}

it("leads to each part of a pack's rules, by line", async () => {
  const protocol = readPack(join(home, "suites/packs/pack/example"));
  const { statement, check, cases, scenarios } = placesOfRules(protocol).get("ORDER-SUM-001") as RulePlaces;
  expect([statement, check, cases, scenarios].flat().map((place) => place.replace(/^.*example\//, ""))).toEqual([
    "rules/order.yaml:4",
    "rules/order.yaml:7",
    "rules/order.js#sum",
    "rules/order.yaml:10",
    "rules/order.yaml:36",
  ]);
  expect(placesOfRules(protocol).get("ORDER-ONCE-001")?.scenarios).toHaveLength(1);
  expect((await explainName(protocol, "ORDER-READ-001", undefined))?.join("\n")).toMatch(
    /scenarios in \S*rules\/order\.yaml:\d+/,
  );
});

it("returns undefined for an unknown rule", () => {
  const [protocol] = protocolsNamed("snap");
  const without = { ...protocol, rules: protocol?.rules.filter(({ id }) => id !== "SNAP-CARD-009") };
  expect(strayRules(without as NonNullable<typeof protocol>).join("\n")).toMatch(/rules\/card\.ts:\d+ SNAP-CARD-009/);
});
