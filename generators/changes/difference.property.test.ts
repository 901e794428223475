import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, type Json } from "../../schemas/index.ts";
import { changeBetween, leastChanges } from "./difference.ts";
import { applyChanges } from "./patch.ts";

// Built from the same few names and scalars, because unrelated values would share nothing.
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, true, 0, 1, "", "a"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "toString", "constructor"), tie("value"), { maxKeys: 4 }),
  ),
}));

it("finds a lower bound on the number of changes, which is 0 only for equal values", () => {
  fc.assert(
    fc.property(value, value, (from, to) => {
      const change = changeBetween(from, to);
      expect(applyChanges(from, change)).toEqual(to);
      expect(leastChanges(from, to)).toBeLessThanOrEqual(change.length);
      expect(leastChanges(from, to) === 0).toBe(change.length === 0);
    }),
    { seed: 42, numRuns: 2000 },
  );
});

it("counts members at any depth", () => {
  expect(leastChanges({ a: 1, b: { c: 1, d: 2 } }, { b: { c: 2 }, e: 1 })).toBe(4);
});

it.each([
  ['{"m":{}}', '{"m":{"__proto__":1},"z":2}'],
  ['{"m":[{"a":1},{}]}', '{"m":[{"__proto__":{"x":1}}]}'],
  ['{"m":[{},{"__proto__":1}]}', '{"m":[{"__proto__":{"x":1}},{}]}'],
  ['{"__proto__":1,"a":{"__proto__":2}}', '{"a":{}}'],
  ['{"__proto__":{"a":1},"b":1}', '{"__proto__":{"a":2},"b":2}'],
])("replaces an object that receives a member named __proto__, which no library can add: %s to %s", (before, after) => {
  const [from, to] = [JSON.parse(before) as Json, JSON.parse(after) as Json];
  const change = changeBetween(from, to);
  expect(change.filter(({ path }) => path.includes("__proto__"))).toEqual([]);
  // Compared as text, since a prototype is not a member.
  expect(canonical(applyChanges(from, change) as Json)).toBe(canonical(to));
  expect(leastChanges(from, to)).toBeLessThanOrEqual(change.length);
});
