import { expect, it } from "vitest";
import type { Report } from "../../schemas/index.ts";
import { parties } from "./parties.ts";
import { rowOf } from "./row.ts";

const report = (...violations: { rule?: string; site?: string }[]): Report =>
  ({
    counts: { conforms: 3, violates: violations.length, skipped: 1, errored: 0 },
    runs: [{ results: violations.map((violation) => ({ ...violation, outcome: "violates" })) }],
  }) as unknown as Report;
const idTypeSite = { site: "schema:/boxes.json#/$defs/open/properties/id/type" };

it("allows the violations of a library itself, but no others", () => {
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

it("the servers cover three libraries, and have each mistake once", () => {
  const correctParties = parties.filter(({ mistake }) => mistake === undefined);
  expect(new Set(correctParties.map(({ library }) => library)).size).toBe(3);
  const mistakes = parties.flatMap(({ mistake }) => mistake ?? []);
  expect(new Set(mistakes).size).toBe(mistakes.length);
});
