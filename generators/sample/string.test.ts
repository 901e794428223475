import { expect, it } from "vitest";
import { doubtOf } from "../formats/doubt.ts";
import { openShape } from "../solve/shape.ts";
import { randomFrom } from "./random.ts";
import { stringsFor } from "./string.ts";

const drawn = (format: string, pattern: RegExp): (string | undefined)[] => {
  const shape = openShape();
  shape.string.formats.push(format);
  shape.string.patterns.push(pattern);
  const draw = stringsFor(shape);
  const random = randomFrom(3);
  return Array.from({ length: 100 }, () => draw?.(random));
};

it("draws what nobody may refuse, where the pattern alone has mostly others", () => {
  const texts = drawn("uri", /^https:\/\//u);
  expect(texts.filter((text) => text === undefined || doubtOf("uri", text) !== undefined)).toEqual([]);
  expect(new Set(texts).size).toBeGreaterThan(80);
});

it("draws the others where there is nothing else", () => {
  expect(drawn("uri", /^https:\/\/$/u)).toEqual(Array(100).fill("https://"));
});
