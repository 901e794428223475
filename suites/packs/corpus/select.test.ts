import { describe, expect, it } from "vitest";
import {
  byAnswers,
  formerIds,
  protocolNamed,
  type Rule,
  type RuleStatus,
  type Scenario,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { loadVectors } from "./load.ts";
import { select } from "./select.ts";

const vectors = [
  { id: "ahcp/0.3/message/valid/title/at-minimum", rule: "AHCP-ENV-007" },
  { id: "ahcp/0.3/message/invalid/title/too-short", rule: "AHCP-ENV-007" },
  { id: "ahcp/0.3/message/invalid/title/too-long", rule: "AHCP-ENV-008", tags: ["core"] },
  { id: "ahcp/0.3/message-draft/invalid/title", tags: ["core", "forcing"] },
  { id: "aaep/1.0/envelope/disputed/time/leap*second" },
];

function selectedIndexes(only: string[], skip: string[] = []): number[] {
  return select(vectors, { only, skip }).map((vector) => vectors.indexOf(vector));
}

function refusalOf(only: string[], skip: string[] = []): string {
  try {
    select(vectors, { only, skip });
  } catch (error) {
    if (error instanceof TouchstoneError && error.kind === "usage") return error.message;
  }
  throw new Error("expected a usage error");
}

describe("selection by a document", () => {
  it("finds the vectors of that document, but not of documents whose names begin with its name", () => {
    expect(selectedIndexes(["message"])).toEqual([0, 1, 2]);
    expect(selectedIndexes([], ["message", "envelope"])).toEqual([3]);
  });
});

describe("selection by a former id of a vector", () => {
  it("finds the vector under its current id", () => {
    const [[formerId, currentId] = ["", ""]] = Object.entries(formerIds());
    expect(select([{ id: currentId }, { id: "a/1/b/valid/c" }], { only: [formerId] })).toEqual([{ id: currentId }]);
  });
});

it("a pattern that matches nothing gets suggestions for ids that contain its word", () => {
  expect(refusalOf(["title"])).toContain("**/title/**, **/title would match");
  expect(refusalOf(["draft"])).toContain("**/message-draft/** would match");
  expect(selectedIndexes(["**/title/**"])).toEqual([0, 1, 2, 3]);
  expect(refusalOf(["no-such"])).not.toContain("would match");
});

describe("selection by a rule", () => {
  const site = "https://x.example/order.json#/properties/count";
  const ruleWith = (id: string, status: RuleStatus, sites: string[] = []): Rule => ({
    id,
    level: "MUST",
    clause: "1",
    statement: "It holds.",
    binds: ["server"],
    check: "schema",
    sites,
    status,
  });
  const rules = [
    ruleWith("O-1", { covered: "vectors" }, [site]),
    ruleWith("O-2", { covered: "vectors of O-3" }),
    ruleWith("O-4", { untested: "no message shows it" }),
    ruleWith("O-5", { covered: "scenarios" }),
    ruleWith("ADD-ITEM-SECURITY-001", { covered: byAnswers }),
  ];
  const scenario = { rules: ["O-5", "O-1"] } as unknown as Scenario;
  const results = [
    { id: "o/1/o/invalid/own", rule: "O-1", valid: false },
    { id: "o/1/o/invalid/elsewhere", rule: "O-3", valid: false, site: `${site}/maximum` },
    { id: "o/1/o/invalid/beside", rule: "O-6", valid: false, site: `${site}er/maximum` },
    { id: "o/1/o/valid/elsewhere", rule: "O-3", valid: true, site: `${site}/maximum` },
    { id: "o/1/scenarios/tells/O-5", rule: "O-5", scenario },
    { id: "o/1/scenarios/tells/O-1", rule: "O-1", scenario },
  ];
  const indexesOf = (only: string[], skip: string[] = [], from = results) =>
    select(from, { only, skip }, { rules }).map((result) => results.indexOf(result));

  it("finds every result that can show a breach of the rule, even under another rule", () => {
    expect(indexesOf(["O-1"])).toEqual([0, 1, 4, 5]);
    expect(indexesOf(["O-2"])).toEqual([1]);
    expect(indexesOf(["O-5"])).toEqual([4, 5]);
  });

  it("excludes only results under the rule itself when it is skipped", () =>
    expect(indexesOf([], ["O-1"])).toEqual([1, 2, 3, 4]));

  it("explains why a rule has no results: it is untested, or tested in a different way", () => {
    expect(() => indexesOf(["O-4"])).toThrow("O-4 is untested: no message shows it");
    expect(() => indexesOf(["O-5"], [], results.slice(0, 4))).toThrow(/O-5 is tested by scenarios/);
    const hintForVectors = (ids: string[]): unknown => {
      try {
        return indexesOf(["ADD-ITEM-SECURITY-001"], [], ids.map((id) => ({ id, rule: "O-3", valid: true })) as never);
      } catch (error) {
        return (error as TouchstoneError).hint;
      }
    };
    const vectors = ["add-item", "add-item.parameters", "add"].map((name) => `o/1/${name}/valid/minimal`);
    expect(hintForVectors(vectors)).toBe(
      "give --only add-item --only add-item.parameters: it runs with all vectors of its operation",
    );
    expect(hintForVectors(["o/1/other/valid/minimal"])).toMatch(/^leave --only out/);
  });

  it("finds the message that lacks the member required by a rule of AHCP", () => {
    const { rules } = protocolNamed("ahcp");
    const tests = loadVectors(protocolNamed("ahcp")).files.flatMap((file) => file.tests);
    const ids = select(tests, { only: ["AHCP-TSK-001"] }, { rules }).map(({ id }) => id);
    expect(ids).toContain("ahcp/0.3/message/invalid/action.instructions/missing");
  });
});

describe("selection by the name of a scenario", () => {
  const results = ["cancel-again", "cancel-again-late"].map((name) => ({
    id: `ahcp/0.3/scenarios/${name}/AHCP-CAN-004`,
  }));

  it("finds only that scenario", () => expect(select(results, { only: ["cancel-again"] })).toEqual([results[0]]));
  it("does not match the beginning of a name", () => expect(() => select(results, { only: ["cancel"] })).toThrow());
});

describe("select", () => {
  it("returns everything without a pattern", () => expect(selectedIndexes([])).toEqual([0, 1, 2, 3, 4]));

  it.each([
    ["an id", "ahcp/0.3/message/invalid/title/too-long", [2]],
    ["a path, whole segments only", "ahcp/0.3/message", [0, 1, 2]],
    ["a path with a slash at its end", "ahcp/0.3/message/invalid/", [1, 2]],
    ["a path without the protocol and its version", "message/invalid", [1, 2]],
    ["an id without them", "message/invalid/title/too-long", [2]],
    ["a rule", "AHCP-ENV-007", [0, 1]],
    ["a glob within a segment", "ahcp/0.3/message/invalid/title/too-*", [1, 2]],
    ["a glob that does not cross segments", "ahcp/*/*/invalid/title", [3]],
    ["a glob across segments", "**/title/**", [0, 1, 2, 3]],
    ["a glob of a whole folder", "*/*/message/invalid/t?tle", [1, 2]],
    ["a glob of a whole folder with a slash at its end", "*/*/message/invalid/", [1, 2]],
    ["a glob of rules", "AHCP-ENV-*", [0, 1, 2]],
    ["a tag", "tag:core", [2, 3]],
    ["an id that has a wildcard in its name", "aaep/1.0/envelope/disputed/time/leap*second", [4]],
  ])("matches %s", (_, pattern, expected) => expect(selectedIndexes([pattern])).toEqual(expected));

  it("finds the vectors of an assertion by its name in reports", () => {
    const site = "https://x.example/order.json#/properties/count/maximum";
    const source = { file: "order/schemas/order.schema.json", line: 6, column: 47 };
    const vectorsOfSites = [
      { id: "o/1/o/invalid/a", site },
      { id: "o/1/o/invalid/b", site: `${site}x` },
      { id: "o/1/o/valid/c" },
    ];
    const idsSelectedBy = (pattern: string) =>
      select(
        vectorsOfSites,
        { only: [pattern] },
        { sourceOf: (vectorSite) => (vectorSite === site ? source : undefined) },
      ).map(({ id }) => id);
    expect(idsSelectedBy("order.json#/properties/count/maximum")).toEqual(["o/1/o/invalid/a"]);
    expect(idsSelectedBy("order/schemas/order.schema.json:6:47 #/properties/count/maximum")).toEqual([
      "o/1/o/invalid/a",
    ]);
    expect(idsSelectedBy("order.schema.json:6:47")).toEqual(["o/1/o/invalid/a"]);
    expect(() => idsSelectedBy("order.schema.json:7:47")).toThrow(/matches none(?!.* is #)/s);
    expect(() => idsSelectedBy("order.schema.json:6:48")).toThrow(
      /order\.schema\.json:6:47 is #\/properties\/count\/maximum/,
    );
  });

  it("joins several patterns and keeps the order of the vectors", () => {
    expect(selectedIndexes(["**/disputed/**", "AHCP-ENV-008", "ahcp/0.3/message/valid"])).toEqual([0, 2, 4]);
  });

  it("excludes the results that --skip matches", () => {
    expect(selectedIndexes([], ["ahcp/0.3/message"])).toEqual([3, 4]);
    expect(selectedIndexes(["**/title/**"], ["AHCP-ENV-007"])).toEqual([2, 3]);
  });

  it("refuses a pattern that matches nothing, even if others match, and suggests similar names", () => {
    expect(refusalOf(["ahcp", "ahcp/0.3/mesage"])).toMatch(
      /"ahcp\/0\.3\/mesage".*\n.*did you mean "ahcp\/0\.3\/message"/,
    );
    expect(refusalOf([], ["AHCP-ENV-009"])).toMatch(/"AHCP-ENV-009".*\n.*did you mean "AHCP-ENV-00[78]"/);
    const scenario = { id: "ahcp/0.3/scenarios/submit-first/AHCP-ENV-001", rule: "AHCP-ENV-001" };
    expect(() => select([scenario], { only: ["submit-frist"] })).toThrow(
      /none of 1 results of scenarios\n.*did you mean "submit-first"/,
    );
    expect(() => select([...vectors, scenario], { only: ["scenarios/submit"] })).toThrow(
      /none of 6 vectors and results of scenarios\n.*\*\*\/submit-first\/\*\* would match/,
    );
    expect(refusalOf(["!ahcp/**"])).toContain('"!ahcp/**"');
    expect(refusalOf([""])).toContain('""');
  });

  it("refuses an empty selection", () =>
    expect(refusalOf(["AHCP-ENV-007"], ["ahcp"])).toMatch(/no vectors are selected/));
});
