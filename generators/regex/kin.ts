import type { AST } from "@eslint-community/regexpp";
import type { ClassEdit } from "./classes.ts";

/** A character that engines and languages put into a class, or do not know in it, other than ECMA-262 does. */
type Kin = readonly [says: string, character: string];

const superscript: Kin = ["a superscript digit", "²"];

/** For each property of Unicode: the properties confused with it (`isalpha`, `Alphabetic`, `isdigit`), and its members beyond Latin, beyond the basic plane, or in a small category. */
const ofProperties: readonly [has: string, hasNot: string, kin: readonly Kin[]][] = [
  [
    "Aa",
    "",
    [
      ["an accent", "\u0301"],
      ["a Roman numeral", "Ⅷ"],
      superscript,
      ["a digit of another script", "٣"],
      ["an underscore", "_"],
      ["a modifier letter", "ʰ"],
      ["a letter without case", "中"],
      ["a Cyrillic letter", "Ж"],
      ["a letter beyond the basic plane", "𝒜"],
    ],
  ],
  [
    "A",
    "a",
    [
      ["a Roman numeral", "Ⅷ"],
      ["a letter in title case", "ǅ"],
      ["a letter without case", "中"],
      ["a Cyrillic capital", "Ж"],
      ["a capital beyond the basic plane", "𝒜"],
    ],
  ],
  [
    "a",
    "A",
    [
      ["a small Roman numeral", "ⅷ"],
      ["a modifier letter", "ʰ"],
      ["a letter without case", "中"],
      ["a small Cyrillic letter", "ж"],
      ["a small letter beyond the basic plane", "𝒶"],
    ],
  ],
  ["7", "", [superscript, ["a digit of another script", "٣"], ["a digit beyond the basic plane", "𝟗"]]],
];

/** White space of ECMA-262 that others do not count as such, other characters that they do count, and two characters that belong to no word. */
const ofSpace: readonly Kin[] = [
  ["a tab", "\t"],
  ["a vertical tab", "\v"],
  ["a no-break space", "\u00a0"],
  ["an ideographic space", "\u3000"],
  ["a line separator", "\u2028"],
  ["a byte order mark", "\ufeff"],
  ["a next-line character", "\u0085"],
  ["a file separator", "\u001c"],
  ["an accented letter", "é"],
  ["a hyphen", "-"],
];

/** All of this white space at once, which a pattern that requires something else refuses. */
export const whiteSpace: string = ofSpace
  .map(([, character]) => character)
  .filter((character) => /\s/.test(character))
  .join("");

/** A class or set with one related character more or less, if it has a property of Unicode or white space. */
export function* kinEdits(node: AST.CharacterClass | AST.CharacterSet): Generator<ClassEdit> {
  const { raw } = node;
  for (const [says, character] of kinOf(node)) {
    const put = `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
    yield new RegExp(`^${raw}$`, "u").test(character)
      ? { text: `(?:(?!${put})${raw})`, says: `${raw} does not match ${says}`, effect: "stronger" }
      : { text: `(?:${raw}|${put})`, says: `${raw} matches ${says} as well`, effect: "weaker" };
  }
}

/** Those of its kin that a class or set matches. */
export function kinWithin(node: AST.CharacterClass | AST.CharacterSet): string[] {
  const all = new Set([...kinOf(node)].map(([, character]) => character));
  return [...all].filter((character) => new RegExp(`^${node.raw}$`, "u").test(character));
}

function* kinOf(node: AST.CharacterClass | AST.CharacterSet): Generator<Kin> {
  for (const each of node.type === "CharacterSet" ? [node] : node.elements) {
    if (each.type !== "CharacterSet") continue;
    if (each.kind === "space") yield* ofSpace;
    if (each.kind !== "property") continue;
    const isIn = new RegExp(each.raw.replace("\\P", "\\p"), "u");
    for (const [has, hasNot, kin] of ofProperties)
      if ([...has].every((one) => isIn.test(one)) && ![...hasNot].some((one) => isIn.test(one))) yield* kin;
  }
}
