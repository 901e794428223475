import { describe, expect, it } from "vitest";
import { combine } from "./automaton.ts";
import { patternEdits } from "./edits.ts";

const sources = [
  "^rpl_[A-Za-z0-9]{1,9}$",
  "^(human|agent|system):.+$",
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "^\\d{4}-\\d{2}$",
  "^(?:ab|c)?$",
  "a",
];

describe("patternEdits", () => {
  it.each(sources)("of /%s/ are different expressions", (source) => {
    const edits = patternEdits(source).map((edit) => edit.source);
    expect(edits.length).toBeGreaterThan(0);
    expect(edits).not.toContain(source);
    expect(new Set(edits).size).toBe(edits.length);
    for (const edit of edits) expect(() => new RegExp(edit, "u")).not.toThrow();
  });

  it.each(sources)("of /%s/ match more or fewer strings, according to their effect", (source) => {
    for (const edit of patternEdits(source)) {
      const [lost, gained] = [combine([source], [edit.source]), combine([edit.source], [source])];
      if (edit.effect === "weaker") expect([edit.source, lost?.isEmpty]).toEqual([edit.source, true]);
      if (edit.effect === "stronger") expect([edit.source, gained?.isEmpty]).toEqual([edit.source, true]);
    }
  });

  it("cover anchors, bounds, classes, letters and alternatives", () => {
    const edits = patternEdits("^(?:ab|c){1,2}[0-9x]$").map(({ source }) => source);
    expect(edits).toEqual(
      expect.arrayContaining([
        "(?:ab|c){1,2}[0-9x]$",
        "^(?:ab|c){1,2}[0-9x]",
        "^(?:ab|c){0,2}[0-9x]$",
        "^(?:ab|c){2,2}[0-9x]$",
        "^(?:ab|c){1,3}[0-9x]$",
        "^(?:ab|c){1,1}[0-9x]$",
        "^(?:ab|c){1,2}[x]$",
        "^(?:[aA]b|c){1,2}[0-9x]$",
        "^(?:c){1,2}[0-9x]$",
      ]),
    );
  });

  it("add one character to a class, or remove one end of a range", () => {
    const edits = patternEdits("^[a-f0-9]{2}\\d$").filter(({ isFineGrained }) => isFineGrained);
    const saysOf = (text: string, isMatched: boolean) =>
      edits.filter(({ source }) => new RegExp(source, "u").test(text) === isMatched).map(({ says }) => says);
    for (const [text, says] of [
      ["a:0", "[a-f0-9] matches a colon as well"],
      ["a/0", "[a-f0-9] matches a slash as well"],
      ["a.0", "[a-f0-9] matches a dot as well"],
      ["a_0", "[a-f0-9] matches an underscore as well"],
      ["a-0", "[a-f0-9] matches a hyphen as well"],
      ["a 0", "[a-f0-9] matches a space as well"],
      ["ag0", "[a-f0-9] matches letters after f as well"],
      ["aaa", "\\d matches letters as well"],
    ] as const)
      expect([text, saysOf(text, true)]).toEqual([text, [says]]);
    for (const [text, says] of [
      ["ab1", "a is missing from [a-f0-9]"],
      ["ef1", "f is missing from [a-f0-9]"],
      ["101", "0 is missing from [a-f0-9]"],
      ["981", "9 is missing from [a-f0-9]"],
      ["bb0", "0 is missing from \\d"],
      ["bb9", "9 is missing from \\d"],
    ] as const)
      expect([text, saysOf(text, false)]).toEqual([text, [says]]);
  });

  it("add the characters between Z and a to a class, and kinds of characters that it lacks", () => {
    const fineEdits = (source: string) =>
      patternEdits(source).flatMap(({ isFineGrained, says }) => (isFineGrained ? [says] : []));
    expect(fineEdits("^[A-Za-z]$")).toContain("[A-Za-z] matches the characters between Z and a as well");
    expect(fineEdits("^[A-Za-z]$")).toContain("[A-Za-z] matches digits as well");
    expect(fineEdits("^[0-9]$")).toContain("[0-9] matches small letters as well");
    expect(fineEdits("^[^a-z]$")).toEqual([]);
    expect(fineEdits("^[A-Z]{3}$")).toContain("[A-Z] matches capital letters of every script as well");
    expect(fineEdits("^[a-z0-9]$")).toContain("[a-z0-9] matches small letters of every script as well");
    expect(fineEdits("^[A-Za-z]$").filter((says) => /every script/.test(says))).toEqual([]);
    expect(fineEdits("^[1-9][b-y]$")).toEqual(
      expect.arrayContaining(["[1-9] matches 0 as well", "[b-y] matches a as well", "[b-y] matches z as well"]),
    );
    for (const source of ["^[a-zA-Z0-9_-]+$", "^[-a-zA-Z0-9_]+$"]) {
      const wider = patternEdits(source).filter(({ effect }) => effect === "weaker");
      expect(wider.map(({ says }) => says)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/matches a colon as well$/),
          expect.stringMatching(/matches digits of every script$/),
          expect.stringMatching(/matches letters of every script$/),
        ]),
      );
    }
    // The mistake in letter case covers this edit.
    expect(patternEdits("^[a-z]$").filter(({ source }) => source === "^[A-Za-z]$")).toHaveLength(1);
    expect(patternEdits("^[a-z]$").find(({ source }) => source === "^[A-Za-z]$")?.isFineGrained).toBeUndefined();
  });

  it("accept any white space in place of a space", () => {
    expect(patternEdits("^a b$").map(({ source }) => source)).toContain("^a\\sb$");
  });

  it("cover only the first words of a list of 20,000", () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
    const edits = patternEdits(`^(${words.join("|")})$`);
    expect(edits.length).toBeGreaterThan(4);
    expect(edits.length).toBeLessThan(20);
  });
});
