import { expect, it } from "vitest";
import type { Dependence, Json } from "../../../schemas/index.ts";
import { skipUnoffered, unmetPart } from "./offered-features.ts";

const card = { streams: true, version: "2.1", limits: { most: 3 } };
const why = (on: Dependence, published: Json | undefined = card): string | undefined =>
  skipUnoffered(on, new Map([["card", published]]))?.why;
const has = { equal: { "/streams": true } };

it("asks only for features that a published document offers", () => {
  expect(why({ when: { card: has } })).toBeUndefined();
  expect(why({ when: { card: { ...has, present: ["/limits/most"], matches: { "/version": "^2" } } } })).toBeUndefined();
  expect(why({ when: { card: { equal: { "/streams": "true" } } } })).toContain('"/streams" is true, not "true"');
  expect(why({ when: { card: { equal: { "/pushes": true } } } })).toContain('"/pushes" is nothing, not true');
  expect(why({ when: { card: { differs: { "/limits/most": 3 } } } })).toContain('"/limits/most" is 3');
  expect(why({ when: { card: { absent: ["/limits"] } } })).toContain('"/limits" is there');
});

it("asks for a capability that is an item of a list", () => {
  const streams = { includes: { "/features": "stream" } };
  expect(why({ when: { card: streams } }, { features: ["batch", "stream"] })).toBeUndefined();
  expect(why({ when: { card: streams } }, { features: ["batch"] })).toContain('does not include "stream"');
  expect(why({ when: { card: streams } }, { features: "stream" })).toContain("does not include");
  expect(why({ unless: { card: streams } }, { features: ["stream"] })).toContain("is not asked");
});

it("reads a star in a place as each item", () => {
  const lines = [
    { id: "a", sum: 1 },
    { id: "b", sum: 1 },
  ];
  const unmet = (part: Parameters<typeof unmetPart>[0], json: Json = lines) => unmetPart(part, json, "");
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

it("does not ask for features that a published document denies", () => {
  expect(why({ unless: { card: { equal: { "/streams": false } } } })).toBeUndefined();
  expect(why({ unless: { card: has } })).toContain("is not asked of a target whose card says this");
  expect(why({ when: { card: has }, unless: { card: { present: ["/limits"] } } })).toContain("says this");
});

it("assumes that a target without published documents has no optional feature and excludes none", () => {
  expect(skipUnoffered({ when: { card: has } }, new Map())).toEqual({
    why: "is about a feature, and the target publishes no card that offers it",
    cause: { kind: "not-offered", document: "card" },
  });
  expect(skipUnoffered({ unless: { card: has } }, new Map())).toBeUndefined();
});
