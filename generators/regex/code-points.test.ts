import { expect, it } from "vitest";
import { hasAtLeast, hasAtMost, lengthOf } from "./code-points.ts";

const texts = [
  "",
  "a",
  "ab",
  "\u{1f600}",
  "a\u{1f600}",
  "\u{1f600}\u{1f600}",
  "\ud83d",
  "\ude00\ud83d",
  "e\u0301",
  "abcd",
];

it("counts code points, a lone surrogate as one", () => {
  expect(texts.map(lengthOf)).toEqual(texts.map((text) => [...text].length));
});

it("compares the length with a bound as counting would", () => {
  for (const text of texts) {
    for (let bound = 0; bound <= 6; bound += 1) {
      expect([text, bound, hasAtLeast(text, bound)]).toEqual([text, bound, lengthOf(text) >= bound]);
      expect([text, bound, hasAtMost(text, bound)]).toEqual([text, bound, lengthOf(text) <= bound]);
    }
  }
});
