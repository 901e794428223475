import { expect, it } from "vitest";
import { coverageOfRule, type Protocol, protocolsNamed, type Rule, statusOf } from "../../../schemas/index.ts";
import { countRows, type Listing, listings } from "./listings.ts";

const listed = async (name: string, of: string): Promise<string> => {
  const listing = listings.find((each) => each.name === name) as Listing;
  return countRows(listing, await listing.rows(protocolsNamed(of) as Protocol[], undefined, {}));
};

it("counts its rows by their noun, and rows that protocols share once", async () => {
  expect(await listed("coverage", "all")).toBe(`${protocolsNamed("all").length} protocols`);
  expect(await listed("protocols", "ahcp")).toBe("1 protocol");
  expect(await listed("families", "all")).toBe("4 families");
  const [all, own] = await Promise.all(["all", "ahcp"].map((of) => listed("faults", of)));
  expect(Number.parseInt(all as string, 10)).toBeLessThan(2 * Number.parseInt(own as string, 10));
});

it("calls a rule covered only if something covers it", () => {
  const rule = { id: "S-1", check: "stateful", status: { covered: "scenarios" } } as Rule;
  const profile = { documents: [], contradictions: [] };
  const played = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-1"] }]);
  const not = coverageOfRule(profile, rule, [], [{ name: "once", rules: ["S-2"] }]);
  expect([statusOf(rule, played), statusOf(rule, not)]).toEqual([rule.status, { planned: "scenarios that show it" }]);
  const untested = { ...rule, status: { untested: "nobody sees it" } };
  expect(statusOf(untested, not)).toEqual(untested.status);
});
