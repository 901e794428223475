import fc from "fast-check";
import { expect, it } from "vitest";
import { equal, type Json } from "../../schemas/index.ts";
import { isListed } from "./listed.ts";

const value = fc.oneof(
  fc.constantFrom<Json>(0, -0, 1, "1", null, false, "", [], {}, [1], { a: 1, b: [] }, { b: [], a: 1 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

it("finds in a list of any length what equals one of its values", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), value, fc.nat(), (values, other, at) => {
      expect(isListed(other, values)).toBe(values.some((each) => equal(each, other)));
      const own = values[at % Math.max(1, values.length)];
      if (own !== undefined) expect(isListed(structuredClone(own), values)).toBe(true);
    }),
  );
});
