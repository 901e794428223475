import { describe, expect, it } from "vitest";
import { result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { documentsByFamily, rulesByImplementation, stepOf } from "./matrix.ts";
import { matrixTable } from "./matrix-table.ts";

const good = (id: string, rule: string) => result({ id: `sample/1.0/note/valid/${id}`, rule });
const bad = (id: string, rule: string) => violatedResult(`sample/1.0/note/invalid/${id}`, { rule });

describe("rules by implementation", () => {
  const one = { name: "one", results: [good("a", "S-1"), good("b", "S-2"), bad("c", "S-3"), good("d", "S-4")] };
  const two = { name: "two", results: [good("a", "S-1"), bad("b", "S-2"), bad("c", "S-3")] };
  const matrix = rulesByImplementation([one, two], rules);

  it("begins with differing rules, then failing ones, and adds nothing up", () => {
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

  it("explains a colour by a sign and in words too, with the name of the column", () => {
    const text = matrixTable(matrix, { caption: "Rules", most: 2, more: "All of them" });
    expect(text).toContain('<td class="cell bad step4" data-label="two" title="two: 1 violates of 1">');
    expect(text).toMatch(/aria-hidden="true">✕<\/span>1<span class="unseen"> violates/);
    expect(text).toContain("And 2 more of 4 rules. All of them");
    expect(text).not.toContain("S-1");
  });
});

it("does not count warnings as failures, and gives them another sign", () => {
  const mild = (id: string, fault: string) =>
    violatedResult(`sample/1.0/note/invalid/${id}`, { fault, outcome: "warns" });
  const results = [
    mild("a", "too-short"),
    result({ id: "sample/1.0/note/invalid/b", fault: "too-short" }),
    violatedResult("sample/1.0/note/invalid/c", { fault: "wrong-type" }),
    mild("d", "wrong-type"),
    mild("e", "wrong-type"),
  ];
  const text = matrixTable(documentsByFamily({ results }), { caption: "Documents" });
  expect(text).toMatch(/class="cell bad step2" data-label="type" .*?✕<\/span>1<span class="of">\/3</);
  expect(text).toMatch(/class="cell mid" data-label="length" .*?△<\/span>1<span class="of">\/2</);
});

it("shows the failures of the vectors that were run", () => {
  const id = (name: string): string => `sample/1.0/note/invalid/${name}`;
  const skipped = { outcome: "skipped", why: "no clock", verdict: "invalid" } as const;
  const same = { fault: "wrong-type" };
  const results = [
    violatedResult(id("a"), same),
    violatedResult(id("b"), same),
    result({ id: id("c"), ...skipped, ...same }),
    result({ id: id("d"), ...same }),
  ];
  const text = matrixTable(documentsByFamily({ results }), { caption: "Documents" });
  expect(text).toMatch(/title="type: 1 conforms, 2 violate, 1 skipped of 4".*✕<\/span>2<span class="of">\/3</);
});

it("has documents by the kinds of their faults, failing ones first", () => {
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

it("leaves out documents and kinds of fault if all of them was skipped, and counts them", () => {
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

it("is darker the more fails, and never as light as without failures", () => {
  expect([stepOf(0, 9), stepOf(1, 900), stepOf(1, 2), stepOf(9, 9)]).toEqual([0, 1, 2, 4]);
});
