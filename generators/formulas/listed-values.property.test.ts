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
    fc.property(fc.array(value, { maxLength: 40 }), value, fc.nat(), (values, other, at) => {
      expect(isListed(other, values)).toBe(values.some((each) => equal(each, other)));
      const own = values[at % Math.max(1, values.length)];
      if (own !== undefined) expect(isListed(structuredClone(own), values)).toBe(true);
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
  const one = Array.from({ length: 20_000 }, (_, index) => `v${index}`);
  const other = [...one.slice(1), "w"];
  const both = intersectLists(one, other);
  expect(both).toEqual(one.slice(1));
  expect(intersectLists(one, other)).toBe(both);
  expect(intersectLists(one, one)).toBe(one);
});
