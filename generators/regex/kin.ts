import type { AST } from "@eslint-community/regexpp";
import type { ClassEdit } from "./classes.ts";

/** A character that some engines or languages add to a class or omit from it, unlike ECMA-262. */
type Kin = readonly [says: string, character: string];

const superscript: Kin = ["a superscript digit", "²"];

/** Related characters by Unicode property: those of properties confused with it (`isalpha`, `Alphabetic`, `isdigit`), and its less known members. A property is recognized by letters that it `has` and `hasNot`. */
const kinOfProperties: readonly [has: string, hasNot: string, kin: readonly Kin[]][] = [
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

/** White space of ECMA-262 that other engines do not count, characters that only they count, and two that are not `\\w`. */
const kinOfSpace: readonly Kin[] = [
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

/** All of this white space in one string. A pattern that requires any other character refuses it. */
export const whiteSpace: string = kinOfSpace
  .map(([, character]) => character)
  .filter((character) => /\s/.test(character))
  .join("");

/** Yields edits that add or remove one related character of a class or set with a Unicode property or white space. */
export function* kinEdits(node: AST.CharacterClass | AST.CharacterSet): Generator<ClassEdit> {
  const { raw } = node;
  for (const [says, character] of kinOf(node)) {
    const escaped = `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
    yield new RegExp(`^${raw}$`, "u").test(character)
      ? { text: `(?:(?!${escaped})${raw})`, says: `${raw} does not match ${says}`, effect: "stronger" }
      : { text: `(?:${raw}|${escaped})`, says: `${raw} matches ${says} as well`, effect: "weaker" };
  }
}

/** Lists the related characters that a class or set matches. */
export function kinWithin(node: AST.CharacterClass | AST.CharacterSet): string[] {
  const characters = new Set([...kinOf(node)].map(([, character]) => character));
  return [...characters].filter((character) => new RegExp(`^${node.raw}$`, "u").test(character));
}

function* kinOf(node: AST.CharacterClass | AST.CharacterSet): Generator<Kin> {
  for (const element of node.type === "CharacterSet" ? [node] : node.elements) {
    if (element.type !== "CharacterSet") continue;
    if (element.kind === "space") yield* kinOfSpace;
    if (element.kind !== "property") continue;
    const propertyPattern = new RegExp(element.raw.replace("\\P", "\\p"), "u");
    for (const [has, hasNot, kin] of kinOfProperties)
      if (
        [...has].every((letter) => propertyPattern.test(letter)) &&
        ![...hasNot].some((letter) => propertyPattern.test(letter))
      )
        yield* kin;
  }
}
