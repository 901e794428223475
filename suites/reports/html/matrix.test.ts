import { describe, expect, it } from "vitest";
import { result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { documentsByFamily, rulesByImplementation, shadeOf } from "./matrix.ts";
import { matrixTable } from "./matrix-table.ts";

const conforming = (noteId: string, rule: string) => result({ id: `sample/1.0/note/valid/${noteId}`, rule });
const violating = (id: string, rule: string) => violatedResult(`sample/1.0/note/invalid/${id}`, { rule });

describe("rules by implementation", () => {
  const firstColumn = {
    name: "one",
    results: [conforming("a", "S-1"), conforming("b", "S-2"), violating("c", "S-3"), conforming("d", "S-4")],
  };
  const secondColumn = { name: "two", results: [conforming("a", "S-1"), violating("b", "S-2"), violating("c", "S-3")] };
  const matrix = rulesByImplementation([firstColumn, secondColumn], rules);

  it("begins with differing rules, then failing ones, and does not sum over columns", () => {
    expect(matrix.rows.map(({ name, differs }) => [name, differs])).toEqual([
      ["S-2", true],
      ["S-3", false],
      ["S-1", false],
      ["S-4", false],
    ]);
    expect(matrix.rows[0]?.cells.map((counts) => [counts?.conforms, counts?.violates])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(matrix.rows[3]?.cells[1]).toBeUndefined();
  });

  it("shows each outcome by a sign and in words besides the colour, with the name of the column", () => {
    const text = matrixTable(matrix, { caption: "Rules", most: 2, more: "All of them" });
    expect(text).toContain('<td class="cell bad step4" data-label="two" title="two: 1 violates of 1">');
    expect(text).toMatch(/aria-hidden="true">✕<\/span>1<span class="unseen"> violates/);
    expect(text).toContain("And 2 more of 4 rules. All of them");
    expect(text).not.toContain("S-1");
  });
});

it("does not count warnings as failures, and gives them another sign", () => {
  const warned = (id: string, fault: string) =>
    violatedResult(`sample/1.0/note/invalid/${id}`, { fault, outcome: "warns" });
  const results = [
    warned("a", "too-short"),
    result({ id: "sample/1.0/note/invalid/b", fault: "too-short" }),
    violatedResult("sample/1.0/note/invalid/c", { fault: "wrong-type" }),
    warned("d", "wrong-type"),
    warned("e", "wrong-type"),
  ];
  const text = matrixTable(documentsByFamily({ results }), { caption: "Documents" });
  expect(text).toMatch(/class="cell bad step2" data-label="type" .*?✕<\/span>1<span class="of">\/3</);
  expect(text).toMatch(/class="cell mid" data-label="length" .*?△<\/span>1<span class="of">\/2</);
});

it("counts failures among the vectors that were run, without skipped ones", () => {
  const id = (name: string): string => `sample/1.0/note/invalid/${name}`;
  const skipped = { outcome: "skipped", why: "no clock", verdict: "invalid" } as const;
  const sameFault = { fault: "wrong-type" };
  const results = [
    violatedResult(id("a"), sameFault),
    violatedResult(id("b"), sameFault),
    result({ id: id("c"), ...skipped, ...sameFault }),
    result({ id: id("d"), ...sameFault }),
  ];
  const text = matrixTable(documentsByFamily({ results }), { caption: "Documents" });
  expect(text).toMatch(/title="type: 1 conforms, 2 violate, 1 skipped of 4".*✕<\/span>2<span class="of">\/3</);
});

it("has a row for each document and a column for each kind of fault, failing ones first", () => {
  const matrix = documentsByFamily({
    results: [
      result({ id: "sample/1.0/list/valid/a", document: "list" }),
      result({ id: "sample/1.0/list/raw/b", document: "list", fault: "comma", verdict: "invalid" }),
      violatedResult("sample/1.0/note/invalid/c", { fault: "wrong-type" }),
      violatedResult("sample/1.0/note/invalid/d", { fault: "too-short" }),
      result({ id: "sample/1.0/scenarios/twice/S-1", document: "scenarios" }),
    ],
  });
  expect(matrix.columns).toEqual(["type", "length", "valid", "JSON text", "scenarios"]);
  expect(matrix.rows.map(({ name, cells }) => [name, cells.findIndex((cell) => cell !== undefined)])).toEqual([
    ["note", 0],
    ["list", 2],
    ["scenarios", 4],
  ]);
});

it("leaves out documents and kinds of fault if all their results were skipped, and counts them", () => {
  const skipped = { outcome: "skipped", why: "no clock" } as const;
  const { rows, columns, without } = documentsByFamily({
    results: [
      result({ id: "sample/1.0/note/valid/a" }),
      result({ id: "sample/1.0/note/valid/b", ...skipped }),
      result({ id: "sample/1.0/note/raw/c", ...skipped }),
      result({ id: "sample/1.0/list/valid/d", document: "list", ...skipped }),
    ],
  });
  expect([columns, rows.map(({ name, cells }) => [name, cells[0]?.skipped])]).toEqual([["valid"], [["note", 1]]]);
  expect(without).toEqual({ documents: 1, families: 1 });
});

it("the shade gets darker with the share of failures, and a single failure is visible", () => {
  expect([shadeOf(0, 9), shadeOf(1, 900), shadeOf(1, 2), shadeOf(9, 9)]).toEqual([0, 1, 2, 4]);
});
