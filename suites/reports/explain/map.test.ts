import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coverageOfRule, home, protocolsNamed, readPack, statusOf } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { explained, playable } from "./index.ts";
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
    const played = (await playable(protocol)).flatMap(({ rules }) => rules);
    expect(lost(played, "scenarios").filter((id) => !code(id))).toEqual([]);
  });

  it("has no checker, case, scenario or variant without a rule", () => {
    expect(strayRules(protocol)).toEqual([]);
  });

  it("has no rule without a way to fail or a reason", async () => {
    const { files } = loadVectors(protocol);
    const scenarios = await playable(protocol);
    const open = protocol.rules.filter((rule) => {
      const status = statusOf(rule, coverageOfRule(protocol.profile, rule, files, scenarios));
      return Object.values(status).every((how) => how.trim() === "");
    });
    expect(open).toEqual([]);
  });
});

it("leads to each part of a pack's rules, by line", async () => {
  const protocol = readPack(join(home, "suites/packs/pack/example"));
  const { statement, check, cases, scenarios } = placesOfRules(protocol).get("ORDER-SUM-001") as RulePlaces;
  expect([statement, check, cases, scenarios].flat().map((place) => place.replace(/^.*example\//, ""))).toEqual([
    ...["rules/order.yaml:4", "rules/order.yaml:7", "rules/order.js#sum", "rules/order.yaml:10", "rules/order.yaml:36"],
  ]);
  expect(placesOfRules(protocol).get("ORDER-ONCE-001")?.scenarios).toHaveLength(1);
  expect((await explained(protocol, "ORDER-READ-001", undefined))?.join("\n")).toMatch(
    /scenarios in \S*rules\/order\.yaml:\d+/,
  );
});

it("knows a rule that there is not", () => {
  const [protocol] = protocolsNamed("snap");
  const without = { ...protocol, rules: protocol?.rules.filter(({ id }) => id !== "SNAP-CARD-009") };
  expect(strayRules(without as NonNullable<typeof protocol>).join("\n")).toMatch(/rules\/card\.ts:\d+ SNAP-CARD-009/);
});
