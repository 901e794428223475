import { expect, it } from "vitest";
import type { Report } from "../../schemas/index.ts";
import { parties } from "./parties.ts";
import { rowOf } from "./row.ts";

const report = (...accused: { rule?: string; site?: string }[]): Report =>
  ({
    counts: { conforms: 3, violates: accused.length, skipped: 1, errored: 0 },
    runs: [{ results: accused.map((each) => ({ ...each, outcome: "violates" })) }],
  }) as unknown as Report;
const idTypeSite = { site: "schema:/boxes.json#/$defs/open/properties/id/type" };

it("distinguishes the behaviour of a library from a wrong accusation", () => {
  const library = "json-rpc-2.0";
  expect(rowOf({ library }, report(idTypeSite))).toMatchObject({ isFine: true });
  expect(rowOf({ library }, report(idTypeSite, { rule: "BOX-ID-001" }))).toMatchObject({ isFine: false });
  expect(rowOf({ library }, report({}))).toMatchObject({ isFine: false });
  expect(rowOf({ library, mistake: "other-id" }, report(idTypeSite))).toMatchObject({ isFine: false });
  expect(rowOf({ library, mistake: "other-id" }, report(idTypeSite, { rule: "BOX-ID-001" }))).toEqual({
    isFine: true,
    cells: [library, "-", "other-id", 5, 1, 0, "BOX-ID-001, 1 of the library's own"],
  });
});

it("the table has three libraries, each with options, and each mistake once", () => {
  const right = parties.filter(({ mistake }) => mistake === undefined);
  expect(new Set(right.map(({ library }) => library)).size).toBe(3);
  const mistakes = parties.flatMap(({ mistake }) => mistake ?? []);
  expect(new Set(mistakes).size).toBe(mistakes.length);
});
