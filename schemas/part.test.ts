import { expect, it } from "vitest";
import { isWhole, partOf } from "./part.fixture.ts";

const allCases = Array.from({ length: 10 }, (_, index) => `case ${index}`);

it.skipIf(isWhole)("returns a part of the cases in their order, the same each time, and describes it", () => {
  const { cases, said } = partOf(allCases, (oneCase) => oneCase, 3);
  expect(cases).toHaveLength(4);
  expect(allCases.filter((oneCase) => cases.includes(oneCase))).toEqual(cases);
  expect(partOf(allCases, (oneCase) => oneCase, 3).cases).toEqual(cases);
  expect(said).toMatch(/^4 of 10, seed \S+$/);
  expect(partOf(allCases, (oneCase) => `other ${oneCase}`, 3).cases).not.toEqual(cases);
});

it("returns at least one case, and all cases if there is only one part", () => {
  expect(partOf(["one"], (oneCase) => oneCase, 9).cases).toEqual(["one"]);
  expect(partOf(allCases, (oneCase) => oneCase, 1).cases).toEqual(allCases);
});
