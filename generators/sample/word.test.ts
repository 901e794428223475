import { describe, expect, it } from "vitest";
import { type Automaton, automatonOf } from "../regex/automaton.ts";
import { hasNewCharacter } from "../regex/old-characters.ts";
import { randomFrom } from "./random.ts";
import { wordsOf } from "./word.ts";

const draw = (source: string, min: number, max: number, count = 500): string[] => {
  const next = wordsOf(automatonOf(source) as Automaton, min, max);
  const random = randomFrom(1);
  return next === undefined ? [] : Array.from({ length: count }, () => next(random));
};

describe("words of an automaton", () => {
  it.each([
    ["^0\\.\\d+$", 0, Infinity],
    ["^(human|agent|system):.+$", 0, Infinity],
    ["^[A-Za-z_][A-Za-z0-9_.-]{0,255}$", 0, Infinity],
    ["^[a-z0-9]+(-[a-z0-9]+)*$", 3, 12],
    ["^[0-9a-f]{128}$", 0, Infinity],
    ["b", 2, 40],
  ])("match %s and have the required length", (source, min, max) => {
    const words = draw(source, min, max);
    expect(words.length).toBe(500);
    for (const word of words) {
      expect(word).toMatch(new RegExp(source, "u"));
      expect([...word].length).toBeGreaterThanOrEqual(min);
      expect([...word].length).toBeLessThanOrEqual(max);
      expect(word).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it("are all drawn if there are few", () => {
    expect(new Set(draw("^(ab|cd|e)f?$", 0, 9))).toEqual(new Set(["ab", "abf", "cd", "cdf", "e", "ef"]));
  });

  it("have every length from the shortest to the longest allowed", () => {
    const lengths = draw("^evt_[A-Za-z0-9]{1,64}$", 0, Infinity, 2000).map((word) => word.length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([5, 68]);
  });

  it("consist of characters of older Unicode versions, or of newer ones if the pattern requires them", () => {
    for (const source of ["^\\p{L}+$", "^[^a-z]+$", "^\\P{L}+$"])
      expect(draw(source, 0, 40, 2000).filter(hasNewCharacter)).toEqual([]);
    // The Kawi script is new in Unicode 15.
    expect(draw("^\\u{11f04}$", 0, 9, 1)).toEqual(["\u{11f04}"]);
  });

  it("do not exist if no length fits", () => {
    expect(draw("^(aa)+$", 3, 3)).toEqual([]);
    expect(draw("^a$", 5, 9)).toEqual([]);
  });
});
