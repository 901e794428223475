import { expect, it } from "vitest";
import { isWhole, partOf } from "./part.fixture.ts";

const all = Array.from({ length: 10 }, (_, index) => `case ${index}`);

it.skipIf(isWhole)("is a part of the cases in their order, the same each time, with their number", () => {
  const { cases, said } = partOf(all, (each) => each, 3);
  expect(cases).toHaveLength(4);
  expect(all.filter((each) => cases.includes(each))).toEqual(cases);
  expect(partOf(all, (each) => each, 3).cases).toEqual(cases);
  expect(said).toMatch(/^4 of 10, seed \S+$/);
  expect(partOf(all, (each) => `other ${each}`, 3).cases).not.toEqual(cases);
});

it("is at least one case, and all cases if there is one part", () => {
  expect(partOf(["one"], (each) => each, 9).cases).toEqual(["one"]);
  expect(partOf(all, (each) => each, 1).cases).toEqual(all);
});
