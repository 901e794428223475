import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";
import { kinWithin } from "./kin.ts";

/** The maximum number of strings for one pattern. Realistic classes need no more. */
const maxTexts = 8;

/** The maximum length of a string, even if a pattern repeats. */
const maxLength = 300;

/**
 * Lists strings that match a pattern, and together contain both ends of every range and every single character of its classes. There are few of them
 * if a class may be repeated. None for a pattern with parts such as a look-ahead.
 */
export function endTexts(source: string): string[] {
  const { pattern } = parseRegExpLiteral(new RegExp(source, "u"));
  const matches = new RegExp(source, "u");
  const texts = new Set<string>();
  for (let turn = 0; turn < maxTexts; turn++) {
    const text = textOfAlternatives(pattern.alternatives, turn);
    if (text !== undefined && text.length <= maxLength && matches.test(text)) texts.add(text);
  }
  return [...texts];
}

/** Each turn selects the next alternative, and then the next character of its classes. */
function textOfAlternatives(alternatives: readonly AST.Alternative[], turn: number): string | undefined {
  const alternative = alternatives[turn % alternatives.length] as AST.Alternative;
  return joinTexts(alternative.elements.map((element) => textOf(element, Math.floor(turn / alternatives.length))));
}

function textOf(element: AST.Element, turn: number): string | undefined {
  switch (element.type) {
    case "Assertion":
      return element.kind === "start" || element.kind === "end" ? "" : undefined;
    case "Character":
      return String.fromCodePoint(element.value);
    case "Group":
    case "CapturingGroup":
      return textOfAlternatives(element.alternatives, turn);
    case "CharacterClass":
    case "CharacterSet":
      return repeatElement(element, 1, turn);
    case "Quantifier":
      return repeatElement(element.element, undefined, turn, element);
    default:
      return undefined;
  }
}

/** Repeats an element until the string contains all its ends, as far as the quantifier allows. */
function repeatElement(
  element: AST.Element,
  count: number | undefined,
  turn: number,
  { min, max }: { min: number; max: number } = { min: 1, max: 1 },
): string | undefined {
  const ends = endsOf(element);
  if (ends === undefined)
    return joinTexts(Array.from({ length: Math.max(min, Math.min(max, 1)) }, () => textOf(element, turn)));
  if (ends.length === 0) return min === 0 ? "" : undefined;
  const repeats = count ?? Math.max(min, Math.min(max, ends.length));
  return Array.from({ length: repeats }, (_, index) => ends[(index + turn * repeats) % ends.length]).join("");
}

/** Lists both ends of each range, each character, and less known members. Undefined if the element is not a class. */
function endsOf(element: AST.Element): string[] | undefined {
  if (element.type === "CharacterSet") return [...endsOfSet(element), ...kinWithin(element)];
  if (element.type !== "CharacterClass") return undefined;
  if (element.negate) return kinWithin(element);
  const codes = element.elements.flatMap((part) => {
    if (part.type === "Character") return [part.value];
    if (part.type === "CharacterClassRange") return [part.min.value, part.max.value];
    return part.type === "CharacterSet" ? endsOfSet(part).map((end) => end.codePointAt(0) as number) : [];
  });
  return [...new Set([...codes.map((value) => String.fromCodePoint(value)), ...kinWithin(element)])];
}

function endsOfSet(set: AST.CharacterSet): string[] {
  if (set.kind === "any") return ["a"];
  if ("negate" in set && set.negate) return [];
  if (set.kind === "digit") return ["0", "9"];
  return set.kind === "word" ? ["0", "9", "A", "Z", "_", "a", "z"] : [];
}

function joinTexts(parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join("");
}
