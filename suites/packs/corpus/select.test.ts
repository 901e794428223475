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

const all = [
  { id: "ahcp/0.3/message/valid/title/at-minimum", rule: "AHCP-ENV-007" },
  { id: "ahcp/0.3/message/invalid/title/too-short", rule: "AHCP-ENV-007" },
  { id: "ahcp/0.3/message/invalid/title/too-long", rule: "AHCP-ENV-008", tags: ["core"] },
  { id: "ahcp/0.3/message-draft/invalid/title", tags: ["core", "forcing"] },
  { id: "aaep/1.0/envelope/disputed/time/leap*second" },
];

function chosen(only: string[], skip: string[] = []): number[] {
  return select(all, { only, skip }).map((vector) => all.indexOf(vector));
}

function refused(only: string[], skip: string[] = []): string {
  try {
    select(all, { only, skip });
  } catch (error) {
    if (error instanceof TouchstoneError && error.kind === "usage") return error.message;
  }
  throw new Error("it was selected without complaint");
}

describe("selection by a document", () => {
  it("finds the vectors of that document, and not of those whose names begin with it", () => {
    expect(chosen(["message"])).toEqual([0, 1, 2]);
    expect(chosen([], ["message", "envelope"])).toEqual([3]);
  });
});

describe("selection by a former id of a vector", () => {
  it("finds the vector under its present id", () => {
    const [[old, today] = ["", ""]] = Object.entries(formerIds());
    expect(select([{ id: today }, { id: "a/1/b/valid/c" }], { only: [old] })).toEqual([{ id: today }]);
  });
});

it("suggests patterns for ids that contain the word that matched nothing", () => {
  expect(refused(["title"])).toContain("**/title/**, **/title would match");
  expect(refused(["draft"])).toContain("**/message-draft/** would match");
  expect(chosen(["**/title/**"])).toEqual([0, 1, 2, 3]);
  expect(refused(["no-such"])).not.toContain("would match");
});

describe("selection by a rule", () => {
  const at = "https://x.example/order.json#/properties/count";
  const rule = (id: string, status: RuleStatus, sites: string[] = []): Rule => ({
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
    rule("O-1", { covered: "vectors" }, [at]),
    rule("O-2", { covered: "vectors of O-3" }),
    rule("O-4", { untested: "nobody sees it" }),
    rule("O-5", { covered: "scenarios" }),
    rule("ADD-ITEM-SECURITY-001", { covered: byAnswers }),
  ];
  const scenario = { rules: ["O-5", "O-1"] } as unknown as Scenario;
  const those = [
    { id: "o/1/o/invalid/own", rule: "O-1", valid: false },
    { id: "o/1/o/invalid/elsewhere", rule: "O-3", valid: false, site: `${at}/maximum` },
    { id: "o/1/o/invalid/beside", rule: "O-6", valid: false, site: `${at}er/maximum` },
    { id: "o/1/o/valid/elsewhere", rule: "O-3", valid: true, site: `${at}/maximum` },
    { id: "o/1/scenarios/tells/O-5", rule: "O-5", scenario },
    { id: "o/1/scenarios/tells/O-1", rule: "O-1", scenario },
  ];
  const taken = (only: string[], skip: string[] = [], of = those) =>
    select(of, { only, skip }, { rules }).map((each) => those.indexOf(each));

  it("accepts every result that can show its breach, even under another rule", () => {
    expect(taken(["O-1"])).toEqual([0, 1, 4, 5]);
    expect(taken(["O-2"])).toEqual([1]);
    expect(taken(["O-5"])).toEqual([4, 5]);
  });

  it("excludes only results under the rule itself", () => expect(taken([], ["O-1"])).toEqual([1, 2, 3, 4]));

  it("says why a rule has no results if it is not tested, or not in this way", () => {
    expect(() => taken(["O-4"])).toThrow("O-4 is untested: nobody sees it");
    expect(() => taken(["O-5"], [], those.slice(0, 4))).toThrow(/O-5 is tested by scenarios/);
    const hintOn = (ids: string[]): unknown => {
      try {
        return taken(["ADD-ITEM-SECURITY-001"], [], ids.map((id) => ({ id, rule: "O-3", valid: true })) as never);
      } catch (error) {
        return (error as TouchstoneError).hint;
      }
    };
    const vectors = ["add-item", "add-item.parameters", "add"].map((name) => `o/1/${name}/valid/minimal`);
    expect(hintOn(vectors)).toBe(
      "give --only add-item --only add-item.parameters: it runs with all vectors of its operation",
    );
    expect(hintOn(["o/1/other/valid/minimal"])).toMatch(/^leave --only out/);
  });

  it("finds the message without the member that a rule of AHCP demands", () => {
    const { rules } = protocolNamed("ahcp");
    const tests = loadVectors(protocolNamed("ahcp")).files.flatMap((file) => file.tests);
    const ids = select(tests, { only: ["AHCP-TSK-001"] }, { rules }).map(({ id }) => id);
    expect(ids).toContain("ahcp/0.3/message/invalid/action.instructions/missing");
  });
});

describe("selection by a scenario's own name", () => {
  const played = ["cancel-again", "cancel-again-late"].map((name) => ({
    id: `ahcp/0.3/scenarios/${name}/AHCP-CAN-004`,
  }));

  it("accepts only that scenario", () => expect(select(played, { only: ["cancel-again"] })).toEqual([played[0]]));
  it("does not accept the beginning of a name", () => expect(() => select(played, { only: ["cancel"] })).toThrow());
});

describe("select", () => {
  it("accepts everything without a pattern", () => expect(chosen([])).toEqual([0, 1, 2, 3, 4]));

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
  ])("takes %s", (_, pattern, expected) => expect(chosen([pattern])).toEqual(expected));

  it("accepts the vectors of an assertion, named as a report names it", () => {
    const site = "https://x.example/order.json#/properties/count/maximum";
    const source = { file: "order/schemas/order.schema.json", line: 6, column: 47 };
    const those = [
      { id: "o/1/o/invalid/a", site },
      { id: "o/1/o/invalid/b", site: `${site}x` },
      { id: "o/1/o/valid/c" },
    ];
    const taken = (pattern: string) =>
      select(those, { only: [pattern] }, { sourceOf: (each) => (each === site ? source : undefined) }).map(
        ({ id }) => id,
      );
    expect(taken("order.json#/properties/count/maximum")).toEqual(["o/1/o/invalid/a"]);
    expect(taken("order/schemas/order.schema.json:6:47 #/properties/count/maximum")).toEqual(["o/1/o/invalid/a"]);
    expect(taken("order.schema.json:6:47")).toEqual(["o/1/o/invalid/a"]);
    expect(() => taken("order.schema.json:7:47")).toThrow(/matches none(?!.* stands )/s);
    expect(() => taken("order.schema.json:6:48")).toThrow(/order\.schema\.json:6:47 is #\/properties\/count\/maximum/);
  });

  it("joins several patterns and keeps the order of the vectors", () => {
    expect(chosen(["**/disputed/**", "AHCP-ENV-008", "ahcp/0.3/message/valid"])).toEqual([0, 2, 4]);
  });

  it("excludes the results that --skip matches", () => {
    expect(chosen([], ["ahcp/0.3/message"])).toEqual([3, 4]);
    expect(chosen(["**/title/**"], ["AHCP-ENV-007"])).toEqual([2, 3]);
  });

  it("refuses a pattern that matches nothing, even one of several, and suggests similar names", () => {
    expect(refused(["ahcp", "ahcp/0.3/mesage"])).toMatch(
      /"ahcp\/0\.3\/mesage".*\n.*did you mean "ahcp\/0\.3\/message"/,
    );
    expect(refused([], ["AHCP-ENV-009"])).toMatch(/"AHCP-ENV-009".*\n.*did you mean "AHCP-ENV-00[78]"/);
    const scenario = { id: "ahcp/0.3/scenarios/submit-first/AHCP-ENV-001", rule: "AHCP-ENV-001" };
    expect(() => select([scenario], { only: ["submit-frist"] })).toThrow(
      /none of 1 results of scenarios\n.*did you mean "submit-first"/,
    );
    expect(() => select([...all, scenario], { only: ["scenarios/submit"] })).toThrow(
      /none of 6 vectors and results of scenarios\n.*\*\*\/submit-first\/\*\* would match/,
    );
    expect(refused(["!ahcp/**"])).toContain('"!ahcp/**"');
    expect(refused([""])).toContain('""');
  });

  it("refuses an empty selection", () =>
    expect(refused(["AHCP-ENV-007"], ["ahcp"])).toMatch(/no vectors are selected/));
});
