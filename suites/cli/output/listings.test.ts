import { expect, it } from "vitest";
import { coverageOfRule, type Protocol, protocolsNamed, type Rule, statusOf } from "../../../schemas/index.ts";
import { countRows, type Listing, listings } from "./listings.ts";

const listNames = async (name: string, of: string): Promise<string> => {
  const listing = listings.find((each) => each.name === name) as Listing;
  return countRows(listing, await listing.rows(protocolsNamed(of) as Protocol[], undefined, {}));
};

it("prints the number of rows with their noun, and counts rows that protocols share once", async () => {
  expect(await listNames("coverage", "all")).toBe(`${protocolsNamed("all").length} protocols`);
  expect(await listNames("protocols", "ahcp")).toBe("1 protocol");
  expect(await listNames("families", "all")).toBe("4 families");
  const [all, ownFaults] = await Promise.all(["all", "ahcp"].map((of) => listNames("faults", of)));
  expect(Number.parseInt(all as string, 10)).toBeLessThan(2 * Number.parseInt(ownFaults as string, 10));
});

it("counts a rule as covered only if a vector or a scenario tests it", () => {
  const rule = { id: "S-1", check: "stateful", status: { covered: "scenarios" } } as Rule;
  const profile = { documents: [], contradictions: [] };
  const coverage = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-1"] }]);
  const not = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-2"] }]);
  expect([statusOf(rule, coverage), statusOf(rule, not)]).toEqual([rule.status, { planned: "scenarios that show it" }]);
  const untested = { ...rule, status: { untested: "nobody sees it" } };
  expect(statusOf(untested, not)).toEqual(untested.status);
});
