import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { shrinkOnce } from "./smaller-values.ts";

/** Yields every location in a value. */
function* locations(value: Json, at = ""): Generator<string> {
  yield at;
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) yield* locations(part, pointer.append(at, name));
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

it("does not change the original value, and returns the new locations of its parts", () => {
  fc.assert(
    fc.property(json, (value) => {
      const before = JSON.stringify(value);
      for (const { value: after, moved } of shrinkOnce(value)) {
        expect(JSON.stringify(after)).not.toBe(before);
        let changed = 0;
        for (const location of locations(value)) {
          const to = moved(location);
          if (to === undefined) continue;
          expect([location, pointer.has(to, after)]).toEqual([location, true]);
          if (JSON.stringify(pointer.at(to, after)) !== JSON.stringify(pointer.at(location, value))) changed += 1;
        }
        // Only the shrunk part and its containers differ.
        expect(changed).toBeLessThanOrEqual(before.length);
      }
      expect(JSON.stringify(value)).toBe(before);
    }),
    { seed: 42, numRuns: 50 },
  );
});

it("moves the items after a removed one", () => {
  const removal = [...shrinkOnce(["a", "b", "c"])].find(({ value }) => JSON.stringify(value) === '["a","c"]');
  expect(["/0", "/1", "/2", "/-", ""].map((at) => removal?.moved(at))).toEqual(["/0", undefined, "/1", "/-", ""]);
});

it("terminates if edits are repeated", () => {
  fc.assert(
    fc.property(json, fc.nat(8), (value, size) => {
      const isLarge = (each: Json) => JSON.stringify(each).length >= size;
      if (!isLarge(value)) return;
      let current = value;
      for (let steps = 0; ; steps += 1) {
        expect(steps).toBeLessThan(5000);
        const next = [...shrinkOnce(current)].find((edit) => isLarge(edit.value));
        if (next === undefined) break;
        current = next.value;
      }
    }),
    { seed: 42, numRuns: 100 },
  );
});

describe("values shrink to readable ones", () => {
  const shrinkFully = (value: Json, holds: (each: Json) => boolean): Json => {
    const next = [...shrinkOnce(value)].find((edit) => holds(edit.value));
    return next === undefined ? value : shrinkFully(next.value, holds);
  };
  const isDated = (value: Json) =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\d($|T\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$)/.test(value) &&
    !Number.isNaN(Date.parse(value));

  it.each<[string, (text: string) => boolean, string]>([
    ["1987-11-30", () => true, "2000-01-01"],
    ["2043-11-30T23:59:58.123+05:30", (text) => text.length >= 20, "2000-01-01T00:00:00Z"],
    ["2043-11-30T23:59:58Z", (text) => text >= "2026-02" && text.length >= 20, "2026-02-01T00:00:00Z"],
  ])("a date: %s", (date, holds, expected) => {
    expect(shrinkFully(date, (each) => isDated(each) && holds(each as string))).toBe(expected);
  });

  it("names of members, except readable ones", () => {
    const hasTwo = (value: Json) => isObject(value) && Object.keys(value).length > 1;
    expect(shrinkFully({ "hbul efko88": 4, hasOwnProperty: 5 }, hasTwo)).toEqual({ b: null, a: null });
    expect(shrinkFully({ note: 4, "": 5 }, hasTwo)).toEqual({ note: null, a: null });
  });
});
