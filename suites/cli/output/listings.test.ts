import { expect, it } from "vitest";
import { coverageOfRule, type Protocol, protocolsNamed, type Rule, statusOf } from "../../../schemas/index.ts";
import { countRows, type Listing, listings } from "./listings.ts";

const countListing = async (name: string, protocolName: string): Promise<string> => {
  const listing = listings.find((candidate) => candidate.name === name) as Listing;
  return countRows(listing, await listing.rows(protocolsNamed(protocolName) as Protocol[], undefined, {}));
};

it("prints the number of rows with their noun, and counts rows that protocols share once", async () => {
  expect(await countListing("coverage", "all")).toBe(`${protocolsNamed("all").length} protocols`);
  expect(await countListing("protocols", "ahcp")).toBe("1 protocol");
  expect(await countListing("families", "all")).toBe("4 families");
  const [allFaults, ahcpFaults] = await Promise.all(
    ["all", "ahcp"].map((protocolName) => countListing("faults", protocolName)),
  );
  expect(Number.parseInt(allFaults as string, 10)).toBeLessThan(2 * Number.parseInt(ahcpFaults as string, 10));
});

it("counts a rule as covered only if a vector or a scenario tests it", () => {
  const rule = { id: "S-1", check: "stateful", status: { covered: "scenarios" } } as Rule;
  const profile = { documents: [], contradictions: [] };
  const coverage = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-1"] }]);
  const noCoverage = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-2"] }]);
  expect([statusOf(rule, coverage), statusOf(rule, noCoverage)]).toEqual([
    rule.status,
    { planned: "scenarios that show it" },
  ]);
  const untested = { ...rule, status: { untested: "nobody sees it" } };
  expect(statusOf(untested, noCoverage)).toEqual(untested.status);
});
