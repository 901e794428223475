import { Words } from "refa";
import { describe, expect, it } from "vitest";
import { type Automaton, automatonOf, combine } from "./automaton.ts";
import { words } from "./words.ts";

const characters = ["a", "b", "c", "x", "0", "-", ".", " ", "\n", "é", "😀"];
const shortTexts = characters.flatMap((one) => [
  one,
  ...characters.flatMap((two) => [one + two, ...characters.map((three) => one + two + three)]),
]);
const longTexts = [
  "ab-ab",
  "2026-01",
  "0.5",
  "-0.50",
  "abcabc",
  "aaaa",
  "ababab",
  "_a",
  "A",
  "ж",
  "жж",
  "\t",
  "a\t",
  "\u0000",
  "a/a",
  "acbc",
  "a..b",
];
const samples = ["", ...shortTexts, ...longTexts];

const accepts = (automaton: Automaton | undefined, text: string) => automaton?.test(Words.fromStringToUnicode(text));
/** The samples on which an automaton and an expectation differ. */
const differences = (automaton: Automaton | undefined, expected: (text: string) => boolean) =>
  samples.filter((text) => accepts(automaton, text) !== expected(text));

function* takeFirst<T>(items: Iterable<T>, count: number): Generator<T> {
  let yielded = 0;
  for (const item of items) {
    if (yielded === count) return;
    yielded += 1;
    yield item;
  }
}

describe("automatonOf matches the same texts as the engine's expression", () => {
  it.each([
    "",
    "a",
    "^a",
    "a$",
    "^a$",
    "^$",
    "^",
    "^(ab|c)$",
    "a||b",
    "(a|)",
    "x*",
    "^(?:)$",
    "^a*$",
    "^a+b?$",
    "^a{2}$",
    "^a{2,}$",
    "^a{1,3}b{0,2}$",
    "^a{0}$",
    "^.{0,3}$",
    "^(a+)+$",
    "^(?:(?:a|b)+c){2,3}$",
    "^(?:a|b)*?c$",
    "[a-c]",
    "^[^a]$",
    "^[^a-c\\d]+$",
    "^\\d+$",
    "^\\w+$",
    "^\\W$",
    "^\\s$",
    "^\\S+$",
    "^.$",
    "^[\\s\\S]$",
    "[]",
    "^[^]$",
    "^[a\\-c]$",
    "\\bab",
    "ab\\b",
    "\\Bb",
    "^\\b",
    "\\ba\\b",
    "^a(?=b)",
    "^a(?!b)",
    "a(?=$)",
    "(?<=a)b",
    "(?<!a)b",
    "(?<=^)a",
    "(?:a(?!b)|c)+$",
    "^a(?:b(?=c)c)?(?:-(?!$))?x?$",
    "^\\u0061$",
    "^\\u{1F600}$",
    "^[\\u{1F600}-\\u{1F64F}]$",
    "^\\p{L}$",
    "^\\P{L}$",
    "^\\x61\\t$",
    "^\\0$",
    "^a\\.b$",
    "^\\/a$",
    "a\\nb",
    "^(?<year>\\d{4})-\\d{2}$",
    "^-?(0|[1-9]\\d*)(\\.\\d+)?$",
    "^(?:(?!aa)[ab])*$",
    "a^",
    "$a",
    "^a$b",
    "^(a|b)\\1$",
  ])("/%s/", (source) => {
    expect(differences(automatonOf(source), (text) => new RegExp(source, "u").test(text))).toEqual([]);
  });

  it.each([
    "^ab|c$",
    "^a|^b|c$",
    "(^|x)a",
    "a(x|$)",
    "^(?=.*a)(?=.*b).{2,3}$",
    "^(?!ab)[a-c]+$",
    "^\\p{Script=Cyrillic}+$",
    "^(?!\\s*$).+",
  ])("if it exists: /%s/", (source) => {
    const automaton = automatonOf(source);
    if (automaton !== undefined)
      expect(differences(automaton, (text) => new RegExp(source, "u").test(text))).toEqual([]);
  });

  it("keeps a look-ahead over the rest of the text: /^(?!.*\\.\\.)[a-z.]+$/", () => {
    const source = "^(?!.*\\.\\.)[a-z.]+$";
    expect(differences(automatonOf(source), (text) => new RegExp(source, "u").test(text))).toEqual([]);
  });

  it("does not exist for a back-reference to a variable string, or for a malformed expression", () => {
    expect(["^(a*)\\1$", "^(a*)b\\1c$", "(", "\\p{None}"].map(automatonOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("does not exist for a pattern that needs too large an automaton", () => {
    expect(automatonOf("^(?:a|b)*a(?:a|b){16}$")).toBeUndefined();
  });
});

describe("combine", () => {
  const [letters, pair] = ["^[ab]+$", "^.{2}$"];
  it("contains the texts that every included pattern matches", () => {
    expect(differences(combine([letters, pair], []), (text) => /^[ab]{2}$/.test(text))).toEqual([]);
  });

  it("contains the strings that no excluded pattern matches", () => {
    expect(differences(combine([], [letters]), (text) => !/^[ab]+$/.test(text))).toEqual([]);
    expect(
      differences(combine([letters], [pair, "a$"]), (text) => /^([ab]|[ab]{3,})$/.test(text) && !text.endsWith("a")),
    ).toEqual([]);
  });

  it("contains every string if there is no pattern, and is empty if patterns contradict each other", () => {
    expect(differences(combine([], []), () => true)).toEqual([]);
    expect(combine(["^a"], ["^a"])?.isEmpty).toBe(true);
    expect(combine([""], ["a", "^[^a]*$"])?.isEmpty).toBe(true);
  });

  it("is undefined if one of them has no automaton", () => {
    expect([combine(["^(a*)\\1$"], []), combine([], ["^(a*)\\1$"])]).toEqual([undefined, undefined]);
  });
});

describe("words", () => {
  const wordsOf = (source: string, min: number, max: number, count = 1000) => [
    ...takeFirst(words(automatonOf(source) as Automaton, min, max), count),
  ];

  it("are all matched, different, the shortest first and within the bounds, in code points", () => {
    for (const source of ["^rpl_[A-Za-z0-9]{1,64}$", "^[a-z0-9]+(-[a-z0-9]+)*$", "^[😀é]+$", "a", "", "\\bfoo"]) {
      const foundWords = wordsOf(source, 3, 9);
      const lengths = foundWords.map((word) => [...word].length);
      expect(foundWords.filter((word) => !new RegExp(source, "u").test(word))).toEqual([]);
      expect(new Set(foundWords).size).toBe(foundWords.length);
      expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
      expect([Math.min(...lengths) >= 3, Math.max(...lengths) <= 9, foundWords.length > 3]).toEqual([true, true, true]);
    }
  });

  it("are complete if there are few", () => {
    expect(wordsOf("^(?:b|ab|c{3})$", 0, 100)).toEqual(["b", "ab", "ccc"]);
    expect(wordsOf("^(?:b|ab|c{3})$", 2, 2)).toEqual(["ab"]);
    expect(wordsOf("[]", 0, 100)).toEqual([]);
    expect(wordsOf("^$", 0, 100)).toEqual([""]);
  });

  it("are readable, without lone surrogates", () => {
    expect(wordsOf("^.{3}$", 0, 3, 2)).toEqual(["aaa", "aab"]);
    expect(wordsOf("^[\\u{D800}-\\u{E000}]$", 0, 1)).toEqual(["\ue000"]);
    expect(wordsOf("^[^\\x00-\\u{FFFF}]$", 0, 1)).toEqual(["\u{10000}"]);
  });

  it("are found for a large minimum length", () => {
    const [word] = wordsOf("^(?:abc)*$", 1000, 1100, 1);
    expect(word).toBe("abc".repeat(334));
  });
});
