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

  it("has one place for the statement of each rule", () => {
    expect(protocol.rules.filter(({ id }) => places.get(id)?.statement.length !== 1)).toEqual([]);
  });

  it("has a place for each rule with a checker, case or scenario", async () => {
    const { families } = await ruled(protocol);
    const withoutPlace = (ids: readonly string[], part: keyof RulePlaces): string[] =>
      [...new Set(ids)].filter((id) => (places.get(id)?.[part].length ?? 0) === 0);
    const hasCode = (id: string): boolean => {
      const { check = [], cases = [] } = places.get(id) ?? {};
      return check.length + cases.length > 0;
    };
    const checkedRules = families.flatMap(({ checkers, cases }) => [...checkers, ...cases].map(({ rule }) => rule));
    expect([...new Set(checkedRules)].filter((id) => !hasCode(id))).toEqual([]);
    const playedRules = (await playableScenarios(protocol)).flatMap(({ rules }) => rules);
    expect(withoutPlace(playedRules, "scenarios").filter((id) => !hasCode(id))).toEqual([]);
  });

  it("does not contain a checker, case, scenario or variant without a rule", () => {
    expect(strayRules(protocol)).toEqual([]);
  });

  it("has a test or a reason for each rule, and a rule for each scenario", async () => {
    const { files } = loadVectors(protocol);
    const scenarios = await playableScenarios(protocol);
    expect(openRules(protocol, files, scenarios)).toEqual([]);
    expect(scenarios.filter(({ rules }) => rules.length === 0)).toEqual([]);
    // The check also detects missing scenarios, and a tested rule with the status untested.
    const statefulRules = protocol.rules.filter(({ check }) => check === "stateful").map(({ id }) => id);
    const openWithoutScenarios = openRules(protocol, files, []);
    expect(statefulRules.filter((id) => openWithoutScenarios.includes(id)).length).toBeGreaterThan(10);
    const [testedRule] = scenarios[0]?.rules ?? [];
    const rules = protocol.rules.map((rule) =>
      rule.id === testedRule ? { ...rule, status: { untested: "Hard." } } : { ...rule },
    );
    expect(openRules({ ...protocol, rules }, files, scenarios)).toEqual([testedRule]);
  });
});

/** Returns the rules with a wrong status: covered although no test can fail, untested although a test can fail, or without a reason. */
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

it("finds each part of a pack's rules, by line", async () => {
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

it("strayRules finds an id in the code that is not a rule", () => {
  const [protocol] = protocolsNamed("snap");
  const protocolWithoutRule = { ...protocol, rules: protocol?.rules.filter(({ id }) => id !== "SNAP-CARD-009") };
  expect(strayRules(protocolWithoutRule as NonNullable<typeof protocol>).join("\n")).toMatch(
    /rules\/card\.ts:\d+ SNAP-CARD-009/,
  );
});
