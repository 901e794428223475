import { expect, it } from "vitest";
import type { Dependence, Json } from "../../../schemas/index.ts";
import { findUnmetCondition, skipUnoffered } from "./offered-features.ts";

const card = { streams: true, version: "2.1", limits: { most: 3 } };
const reasonFor = (on: Dependence, published: Json | undefined = card): string | undefined =>
  skipUnoffered(on, new Map([["card", published]]))?.why;
const hasStreams = { equal: { "/streams": true } };

it("skips a feature that the published document does not offer", () => {
  expect(reasonFor({ when: { card: hasStreams } })).toBeUndefined();
  expect(
    reasonFor({ when: { card: { ...hasStreams, present: ["/limits/most"], matches: { "/version": "^2" } } } }),
  ).toBeUndefined();
  expect(reasonFor({ when: { card: { equal: { "/streams": "true" } } } })).toContain('"/streams" is true, not "true"');
  expect(reasonFor({ when: { card: { equal: { "/pushes": true } } } })).toContain('"/pushes" is nothing, not true');
  expect(reasonFor({ when: { card: { differs: { "/limits/most": 3 } } } })).toContain('"/limits/most" is 3');
  expect(reasonFor({ when: { card: { absent: ["/limits"] } } })).toContain('"/limits" is there');
});

it("looks for a capability among the items of a list", () => {
  const streams = { includes: { "/features": "stream" } };
  expect(reasonFor({ when: { card: streams } }, { features: ["batch", "stream"] })).toBeUndefined();
  expect(reasonFor({ when: { card: streams } }, { features: ["batch"] })).toContain('does not include "stream"');
  expect(reasonFor({ when: { card: streams } }, { features: "stream" })).toContain("does not include");
  expect(reasonFor({ unless: { card: streams } }, { features: ["stream"] })).toContain("is not asked");
});

it("applies a path with a star to each item", () => {
  const items = [
    { id: "a", sum: 1 },
    { id: "b", sum: 1 },
  ];
  const unmet = (part: Parameters<typeof findUnmetCondition>[0], json: Json = items) =>
    findUnmetCondition(part, json, "");
  expect(unmet({ equal: { "/*/sum": 1 }, present: ["/*/id"], absent: ["/*/note"] })).toBeUndefined();
  expect(unmet({ matches: { "/*/id": "^[ab]$" }, differs: { "/*/id": "c" }, includes: { "/*/id": "b" } })).toBe(
    undefined,
  );
  expect(unmet({ equal: { "/*/id": "a" } })).toContain('"/1/id" is "b", not "a"');
  expect(unmet({ differs: { "/*/id": "b" } })).toContain('"/1/id" is "b"');
  expect(unmet({ includes: { "/*/id": "c" } })).toContain('"/*/id" is ["a","b"], which does not include "c"');
  expect(unmet({ absent: ["/*/sum"] })).toContain('"/0/sum" is there');
  expect(unmet({ present: ["/*/sum"] }, [{ sum: 1 }, {}])).toContain('nothing at "/1/sum"');
  expect(unmet({ present: ["/*"] }, [])).toContain('nothing at "/*"');
  expect(unmet({ equal: { "/*/id": "a" } }, [])).toContain('"/*/id" is nothing');
  expect(unmet({ equal: { "/*": 1 } }, { "*": 1, other: 2 })).toBeUndefined();
});

it("skips a test that a published document excludes", () => {
  expect(reasonFor({ unless: { card: { equal: { "/streams": false } } } })).toBeUndefined();
  expect(reasonFor({ unless: { card: hasStreams } })).toContain("is not asked of a target whose card says this");
  expect(reasonFor({ when: { card: hasStreams }, unless: { card: { present: ["/limits"] } } })).toContain("says this");
});

it("assumes that a target without published documents has no optional feature and excludes none", () => {
  expect(skipUnoffered({ when: { card: hasStreams } }, new Map())).toEqual({
    why: "is about a feature, and the target publishes no card that offers it",
    cause: { kind: "not-offered", document: "card" },
  });
  expect(skipUnoffered({ unless: { card: hasStreams } }, new Map())).toBeUndefined();
});
