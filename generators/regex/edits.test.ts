import { describe, expect, it } from "vitest";
import { combine } from "./automaton.ts";
import { patternEdits } from "./edits.ts";

const sources = [
  "^rpl_[A-Za-z0-9]{1,64}$",
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

  it.each(sources)("of /%s/ match more or less, as they say", (source) => {
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

  it("of a list of 20,000 words are those at the first places", () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
    const edits = patternEdits(`^(${words.join("|")})$`);
    expect(edits.length).toBeGreaterThan(4);
    expect(edits.length).toBeLessThan(20);
  });
});
