import type { AST } from "@eslint-community/regexpp";

/** A class with one character, or a few, added or removed. */
export interface ClassEdit {
  text: string;
  says: string;
  effect: "weaker" | "stronger";
}

/** Characters that are often wrongly added to a class, including the neighbours of ranges: `/` and `:` next to digits. */
const intruders: readonly [says: string, character: string][] = [
  ["a colon", ":"],
  ["a slash", "/"],
  ["a dot", "."],
  ["an underscore", "_"],
  ["a hyphen", "-"],
  ["a space", " "],
];

/** Kinds of characters that a class may lack. */
const kinds: readonly [says: string, range: string, some: string][] = [
  ["digits", "0-9", "059"],
  ["small letters", "a-z", "amz"],
  ["capital letters", "A-Z", "AMZ"],
];

/** The content of a named class, such as `[[:upper:]]`, which has the letters of every script. */
const namedClasses: readonly [says: string, all: string, some: string, other: string][] = [
  ["capital", "\\p{Lu}", "AMZ", "a"],
  ["small", "\\p{Ll}", "amz", "A"],
];

/** Yields common mistakes in a class: an intruder, another kind of characters, letters of all scripts, `A-z`, a neighbour of a range, or a range without an end. */
export function* classEdits(node: AST.CharacterClass): Generator<ClassEdit> {
  if (node.negate) return;
  const { raw } = node;
  const isMatched = (character: string) => matchesOf(node).test(character);
  const widen = (says: string, characters: string): ClassEdit => ({
    text: enlargeClass(node, characters),
    says: `${raw} matches ${says} as well`,
    effect: "weaker",
  });
  for (const [says, character] of intruders)
    if (!isMatched(character)) yield widen(says, character === "-" ? "\\-" : character);
  for (const [says, range, some] of kinds) if (![...some].some(isMatched)) yield widen(says, range);
  for (const [says, all, some, other] of namedClasses)
    if ([...some].every(isMatched) && !isMatched(other)) yield widen(`${says} letters of every script`, all);
  if (isMatched("Z") && isMatched("a") && !isMatched("["))
    yield widen("the characters between Z and a", "\\[\\\\\\]\\^_`");
  const isHex = isMatched("f") && isMatched("0") && !isMatched("g");
  if (isHex) yield widen("letters after f", "g-z");
  for (const element of node.elements) {
    if (element.type !== "CharacterClassRange") continue;
    for (const neighbour of neighboursOf(element))
      if (!isMatched(neighbour) && !(isHex && neighbour === "g")) yield widen(neighbour, neighbour);
    yield* narrowRange(node, element);
  }
}

/** Lists the letters or digits just below and above a range: 0 for `1-9`. */
function neighboursOf({ min, max }: AST.CharacterClassRange): string[] {
  const pattern = [/^[0-9]$/, /^[a-z]$/, /^[A-Z]$/].find((range) => [min, max].every(({ raw }) => range.test(raw)));
  const neighbours = [min.value - 1, max.value + 1].map((value) => String.fromCodePoint(value));
  return neighbours.filter((character) => pattern?.test(character));
}

/** Adds characters to a class so that a hyphen at an end stays a hyphen. */
export function enlargeClass({ raw }: AST.CharacterClass, characters: string): string {
  return raw.startsWith("[-") ? `${raw.slice(0, -1)}${characters}]` : `[${characters}${raw.slice(1)}`;
}

/** Yields common mistakes in a set of digits: letters as well, or the first or last digit missing. */
export function* digitEdits(node: AST.CharacterSet): Generator<ClassEdit> {
  if (node.kind !== "digit" || node.negate) return;
  yield { text: "\\w", says: `${node.raw} matches letters as well`, effect: "weaker" };
  yield { text: "[1-9]", says: `0 is missing from ${node.raw}`, effect: "stronger" };
  yield { text: "[0-8]", says: `9 is missing from ${node.raw}`, effect: "stronger" };
}

function* narrowRange(node: AST.CharacterClass, range: AST.CharacterClassRange): Generator<ClassEdit> {
  const { min, max } = range;
  if (max.value - min.value < 2) return;
  const replaceRange = (from: number, to: number): string => {
    const before = node.raw.slice(0, range.start - node.start);
    return `${before}${writeCharacter(from)}-${writeCharacter(to)}${node.raw.slice(range.end - node.start)}`;
  };
  const says = ({ raw }: AST.Character) => `${raw} is missing from ${node.raw}`;
  yield { text: replaceRange(min.value + 1, max.value), says: says(min), effect: "stronger" };
  yield { text: replaceRange(min.value, max.value - 1), says: says(max), effect: "stronger" };
}

function writeCharacter(value: number): string {
  const character = String.fromCodePoint(value);
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${value.toString(16)}}`;
}

function matchesOf({ raw }: AST.CharacterClass): RegExp {
  return new RegExp(`^${raw}$`, "u");
}
