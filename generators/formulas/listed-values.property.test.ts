import fc from "fast-check";
import { expect, it } from "vitest";
import { equal, type Json } from "../../schemas/index.ts";
import { intersectLists, isListed } from "./listed-values.ts";

const value = fc.oneof(
  fc.constantFrom<Json>(0, -0, 1, "1", null, false, "", [], {}, [1], { a: 1, b: [] }, { b: [], a: 1 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

it("finds an equal item in a list of any length", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), value, fc.nat(), (values, second, at) => {
      expect(isListed(second, values)).toBe(values.some((each) => equal(each, second)));
      const listedValue = values[at % Math.max(1, values.length)];
      if (listedValue !== undefined) expect(isListed(structuredClone(listedValue), values)).toBe(true);
    }),
  );
});

it("keeps the common values of two lists", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(value, { comparator: equal, maxLength: 40 }),
      fc.array(value, { maxLength: 3 }),
      (values, others) => {
        expect(intersectLists(values, others).map((each) => JSON.stringify(each))).toEqual(
          values.filter((each) => others.some((other) => equal(each, other))).map((each) => JSON.stringify(each)),
        );
      },
    ),
  );
});

it("compares the same two long lists once", () => {
  const first = Array.from({ length: 20_000 }, (_, index) => `v${index}`);
  const other = [...first.slice(1), "w"];
  const common = intersectLists(first, other);
  expect(common).toEqual(first.slice(1));
  expect(intersectLists(first, other)).toBe(common);
  expect(intersectLists(first, first)).toBe(first);
});
