import fc from "fast-check";
import { expect, it } from "vitest";
import { byRelease } from "./order.ts";
import { slugOf } from "./slug.ts";

const release = fc.oneof(
  fc.string({ unit: fc.constantFrom("0", "1", "9", ".", "-", "+", "a", "b"), maxLength: 6 }),
  fc.string({ maxLength: 6 }),
);

it("byRelease orders version numbers numerically, and pre-releases before their release", () => {
  const sortedVersions = ["0.9", "1.0-alpha", "1.0-rc.2", "1.0-rc.10", "1.0", "1.0.1", "1.2", "1.10", "2"];
  expect([...sortedVersions].reverse().sort(byRelease)).toEqual(sortedVersions);
});

it("byRelease is a total order", () => {
  fc.assert(
    fc.property(release, release, release, (a, b, c) => {
      const [ab, ba, bc, ac] = [byRelease(a, b), byRelease(b, a), byRelease(b, c), byRelease(a, c)];
      expect(Math.sign(ab)).toBe(-Math.sign(ba) + 0);
      expect(ab === 0).toBe(a === b);
      if (ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});

it("slugOf maps different names to slugs that differ even if letter case is ignored", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ maxLength: 60 }), (a, b) => {
      for (const slug of [slugOf(a), slugOf(b)]) expect(slug).toMatch(/^[a-z0-9][a-z0-9~._-]{0,60}$/);
      expect(slugOf(a).toLowerCase() === slugOf(b).toLowerCase()).toBe(a === b);
    }),
  );
  expect(new Set(["Hub", "hub", "HUB", "hub~", slugOf("Hub")].map(slugOf)).size).toBe(5);
});
