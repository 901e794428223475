import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { compareItemsAsTexts } from "./unique-items.ts";

it("makes Ajv compare items that have members named like inherited ones", () => {
  const ajv = new Ajv();
  compareItemsAsTexts(ajv);
  const validate = ajv.compile({ type: "array", uniqueItems: true });
  expect(validate([{ toString: 1 }, { toString: 2 }, { valueOf: 1 }, 1, "1", [1]])).toBe(true);
  expect(
    validate([
      { a: 1, toString: 1 },
      { toString: 1, a: 1 },
    ]),
  ).toBe(false);
  expect(ajv.compile({ type: "array", uniqueItems: false })([1, 1])).toBe(true);
});
