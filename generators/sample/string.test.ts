import { expect, it } from "vitest";
import { doubtOf } from "../formats/doubtful-times.ts";
import { openShape } from "../solve/shape.ts";
import { randomFrom } from "./random.ts";
import { stringsFor } from "./string.ts";

const drawStrings = (format: string, pattern: RegExp): (string | undefined)[] => {
  const shape = openShape();
  shape.string.formats.push(format);
  shape.string.patterns.push(pattern);
  const draw = stringsFor(shape);
  const random = randomFrom(3);
  return Array.from({ length: 100 }, () => draw?.(random));
};

it("draws strings with an undisputed format, even if few strings of the pattern have one", () => {
  const texts = drawStrings("uri", /^https:\/\//u);
  expect(texts.filter((text) => text === undefined || doubtOf("uri", text) !== undefined)).toEqual([]);
  expect(new Set(texts).size).toBeGreaterThan(80);
});

it("draws strings with a disputed format if the pattern allows no others", () => {
  expect(drawStrings("uri", /^https:\/\/$/u)).toEqual(Array(100).fill("https://"));
});
