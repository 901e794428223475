import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, pointer } from "../../schemas/index.ts";
import { smaller } from "./smaller.ts";

/** Every location in a value. */
function* locations(value: Json, at = ""): Generator<string> {
  yield at;
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) yield* locations(part, pointer.append(at, name));
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

it("leaves the value itself alone and says where its parts have gone", () => {
  fc.assert(
    fc.property(json, (value) => {
      const before = JSON.stringify(value);
      for (const { value: after, moved } of smaller(value)) {
        expect(JSON.stringify(after)).not.toBe(before);
        let changed = 0;
        for (const location of locations(value)) {
          const to = moved(location);
          if (to === undefined) continue;
          expect([location, pointer.has(to, after)]).toEqual([location, true]);
          if (JSON.stringify(pointer.at(to, after)) !== JSON.stringify(pointer.at(location, value))) changed += 1;
        }
        // Only the part that was made smaller and what holds it differ.
        expect(changed).toBeLessThanOrEqual(before.length);
      }
      expect(JSON.stringify(value)).toBe(before);
    }),
    { seed: 42, numRuns: 50 },
  );
});

it("moves the items behind one that is taken out", () => {
  const without = [...smaller(["a", "b", "c"])].find(({ value }) => JSON.stringify(value) === '["a","c"]');
  expect(["/0", "/1", "/2", "/-", ""].map((at) => without?.moved(at))).toEqual(["/0", undefined, "/1", "/-", ""]);
});

it("ends, whatever is asked for", () => {
  fc.assert(
    fc.property(json, fc.nat(8), (value, size) => {
      const isLarge = (each: Json) => JSON.stringify(each).length >= size;
      if (!isLarge(value)) return;
      let current = value;
      for (let steps = 0; ; steps += 1) {
        expect(steps).toBeLessThan(5000);
        const next = [...smaller(current)].find((edit) => isLarge(edit.value));
        if (next === undefined) break;
        current = next.value;
      }
    }),
    { seed: 42, numRuns: 100 },
  );
});
