import { describe, expect, it } from "vitest";
import type { Result, Run } from "../../schemas/index.ts";
import { groupsOf } from "../reports/groups/group.ts";
import { attributeRefusals } from "./attribution.ts";

const result = (id: string, at: string, site: string | undefined, members: Partial<Result> = {}): Result => ({
  id: `a/1/order/${id}`,
  kind: "vector",
  document: "order",
  level: "MUST",
  at,
  outcome: "conforms",
  description: "is sent",
  verdict: id.startsWith("valid") ? "valid" : "invalid",
  ...(site === undefined ? {} : { site: `a.json#/${site}` }),
  ...members,
});

/** A valid message that is refused, with the place and the keyword of each reason. */
const refusalOf = (
  id: string,
  at: string,
  site: string | undefined,
  ...reasonKeys: [at: string, keyword: string][]
): Result =>
  result(`valid/${id}`, at, site, {
    outcome: "violates",
    description: '`day` is "tu"; wrongly refused if "tu" is refused',
    answer: { verdict: "rejected", reasons: reasonKeys.map(([at, keyword]) => ({ at, keyword })) },
  });

const run = (...results: Result[]): Run =>
  ({ protocol: "a", version: "1", target: {}, counts: {}, results }) as unknown as Run;

const siteResults = [
  result("invalid/km", "/stops/0/km", "km/multipleOf"),
  result("invalid/day", "/day", "day/enum"),
  result("invalid/one", "/one", "oneOf/0/type"),
  result("invalid/other", "/one", "oneOf/1/type"),
];

const groups = (...results: Result[]): [name: string, ids: string[]][] =>
  groupsOf(run(...siteResults, ...results), "violates", new Map()).map(({ name, results: groupResults }) => [
    name,
    groupResults.map(({ id }) => id.split("/").slice(4).join("/")),
  ]);

describe("refusals of valid messages", () => {
  it("are listed under the assertion that their reasons name, refusals at its location first", () => {
    expect(
      groups(
        refusalOf("day", "/day", "day/enum", ["/stops/3/km", "multipleOf"]),
        refusalOf("full", "", undefined, ["/else", "type"], ["/stops/0/km", "multipleOf"]),
        refusalOf("km", "/stops/0/km", "km/type", ["/stops/0/km", "multipleOf"]),
      ),
    ).toEqual([["a.json#/km/multipleOf", ["km", "day", "full"]]]);
  });

  it("stay under their own assertion if their reasons name it, name an unknown one, or fit several", () => {
    expect(
      groups(
        refusalOf("day", "/day", "day/enum", ["/stops/0/km", "multipleOf"], ["/day", "enum"]),
        refusalOf("km", "/stops/0/km", "km/type", ["/stops/0/km", "maximum"]),
        refusalOf("one", "/one", "one/const", ["/one", "type"]),
      ).map(([name]) => name),
    ).toEqual(["a.json#/day/enum", "a.json#/km/type", "a.json#/one/const"]);
  });

  it("lose the part of the description about the mistake that the vector was made for", () => {
    const [first] = attributeRefusals(
      run(...siteResults, refusalOf("day", "/day", "day/enum", ["/stops/3/km", "multipleOf"])),
    ).slice(-1);
    expect(first?.description).toBe('`day` is "tu"');
  });

  it("stay under their rule if they have one", () => {
    const withRule = { ...refusalOf("day", "/day", "day/enum", ["/stops/3/km", "multipleOf"]), rule: "A-B-001" };
    expect(groups(withRule)).toEqual([["A-B-001", ["day"]]]);
  });
});
