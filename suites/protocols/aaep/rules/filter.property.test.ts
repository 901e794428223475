import fc from "fast-check";
import { expect, it } from "vitest";
import { eventNames } from "./event.ts";
import { findLeak } from "./filter.ts";

/** Applies filters as the specification describes it, one pattern after the other. */
function delivers(type: string, filters: { include?: string[]; exclude?: string[] }): boolean {
  const matches = (pattern: string) =>
    pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
  return (filters.include ?? ["aaep:agent.*"]).some(matches) && !(filters.exclude ?? []).some(matches);
}

const segment = fc.constantFrom("aaep:agent.", "aaep:", "tool.", "state.changed", "x:", "y", "");
const pattern = fc
  .tuple(segment, segment, fc.constantFrom("", "*"))
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");
const patternList = fc.uniqueArray(pattern, { maxLength: 3 });
const filters = fc.record({ include: patternList, exclude: patternList }, { requiredKeys: [] });
const types = fc.oneof(
  fc.constantFrom(...eventNames.map((name) => `aaep:${name}`)),
  fc.tuple(segment, segment, segment).map((parts) => parts.join("")),
);

it("finds a leak if and only if some type leaks", () => {
  fc.assert(
    fc.property(
      filters,
      filters,
      fc.array(types, { maxLength: 20 }),
      (requestedFilters, grantedFilters, sampleTypes) => {
        const effectiveFilters = { ...requestedFilters, ...grantedFilters };
        const leak = findLeak(requestedFilters, grantedFilters);
        if (leak === undefined)
          expect(
            sampleTypes.filter((type) => delivers(type, effectiveFilters) && !delivers(type, requestedFilters)),
          ).toEqual([]);
        else
          expect([delivers(leak.type, effectiveFilters), delivers(leak.type, requestedFilters)]).toEqual([true, false]);
      },
    ),
    { numRuns: 2000 },
  );
});

it("blames the default if only the default excludes a type", () => {
  expect(findLeak({}, { include: ["tidewatch:*"] })).toEqual({ type: "tidewatch:zz", byDefault: true });
  expect(findLeak({ include: ["aaep:agent.*"] }, { include: ["tidewatch:*"] })?.byDefault).toBe(false);
  expect(findLeak({ exclude: ["x:y"] }, { include: ["x:*"], exclude: [] })).toEqual({ type: "x:y", byDefault: false });
  expect(findLeak(undefined, undefined)).toBeUndefined();
});
