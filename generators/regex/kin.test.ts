import { describe, expect, it } from "vitest";
import { patternEdits } from "./edits.ts";
import { endTexts } from "./end-texts.ts";
import { nearMisses } from "./near-misses.ts";

/** A pattern, a mistaken form of it, and a string on which they differ. */
const confusions: [source: string, mistake: RegExp, text: string][] = [
  ["^\\p{L}+$", /^[\p{L}\p{M}]+$/u, "a\u0301"],
  ["^\\p{L}+$", /^\p{Alphabetic}+$/u, "Ⅷ"],
  ["^\\p{L}+$", /^[\p{L}\p{No}]+$/u, "²"],
  ["^\\p{L}+$", /^[\p{L}\p{Nd}_]+$/u, "_"],
  ["^\\p{L}+$", /^[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]+$/u, "ʰ"],
  ["^\\p{L}+$", /^[\p{Lu}\p{Ll}\p{Lt}\p{Lm}]+$/u, "中"],
  ["^\\p{L}+$", /^(?:[^\u{10000}-\u{10ffff}](?<=\p{L}))+$/u, "𝒜"],
  ["^[\\p{L}\\p{M}]+$", /^\p{L}+$/u, "a\u0301"],
  ["^\\p{Nd}+$", /^\p{N}+$/u, "²"],
  ["^\\p{Nd}+$", /^(?:[^\u{10000}-\u{10ffff}](?<=\p{Nd}))+$/u, "𝟗"],
  ["^\\p{Lu}", /^\p{Uppercase}/u, "Ⅷ"],
  ["^\\p{Lu}", /^[\p{Lu}\p{Lt}]/u, "ǅ"],
  ["^\\p{Lu}", /^[A-ZÀ-ÖØ-ÞΑ-Ω]/u, "Ж"],
  ["^\\p{Ll}", /^\p{Lowercase}/u, "ʰ"],
  ["\\S", /[^\t\n\v\f\r ]/u, "\u00a0"],
  ["\\S", /[^\s\u0085\u001c-\u001f]/u, "\u0085"],
  ["\\S", /\w/u, "-"],
  ["\\S", /^\S/u, " a"],
  ["\\S", /^.*\S.*$/u, "a\n"],
  ["^\\S+$", /^[^\t\n\f\r ]+$/u, "a\v"],
  ["^\\S+$", /^[\S\ufeff]+$/u, "a\ufeff"],
  ["^[\\S]+$", /^[^\t\n\v\f\r \u00a0]+$/u, "a\u2028"],
  ["^[^\\s/]+$", /^[^\s]+$/u, "a/b"],
  ["^[^\\s/]+$", /^[^/]+$/u, "a b"],
  ["^[a-z]{2}-[A-Z]{2}$", /^[a-z]{2}[-_][A-Z]{2}$/u, "en_US"],
];

describe("the related characters of a class", () => {
  it.each(confusions)("of /%s/ reveal a reader that uses %s instead", (source, mistake, text) => {
    const pattern = new RegExp(source, "u");
    expect(mistake.test(text)).not.toBe(pattern.test(text));
    const edits = patternEdits(source).filter((edit) => new RegExp(edit.source, "u").test(text) !== pattern.test(text));
    // An edit with one such character differs from the pattern on this string, as the mistake does.
    expect(edits.filter(({ effect }) => effect === (pattern.test(text) ? "stronger" : "weaker"))).not.toEqual([]);
  });

  it("each kill exactly one edit", () => {
    const edits = patternEdits("^\\p{L}+$").filter(({ needsOneKill }) => needsOneKill);
    for (const text of ["Ж", "𝒜", "ʰ", "中", "²", "Ⅷ", "\u0301", "٣", "_"])
      expect(edits.filter(({ source }) => new RegExp(source, "u").test(text) !== /^\p{L}+$/u.test(text))).toHaveLength(
        1,
      );
  });

  it("are combined in one text if a class may be repeated", () => {
    expect(endTexts("^\\p{L}+$")).toEqual(["ʰ中Ж𝒜"]);
    expect(endTexts("^[^\\s/]+$")[0]).toMatch(/\u0085.*-/);
    expect(endTexts("^\\p{Lu}")).toEqual(["Ж", "𝒜"]);
  });

  it("include all white space in one near miss", () => {
    const text = nearMisses(/\S/u, "a").find(({ name }) => name === "all-white-space")?.text ?? "a";
    expect(text).toMatch(/^\s{6,}$/);
    expect(nearMisses(/^[a-z]+$/u, "a").map(({ name }) => name)).not.toContain("all-white-space");
  });

  it("do not exist for ranges, and for properties other than letters and digits", () => {
    for (const source of ["^[a-z]+$", "^\\w\\d$", "^[^a]$", "^\\p{Emoji_Modifier}$"])
      expect(patternEdits(source).filter(({ needsOneKill }) => needsOneKill)).toEqual([]);
  });
});
