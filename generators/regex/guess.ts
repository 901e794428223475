import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";
import { lengthOf } from "./code-points.ts";

/** The index of the chosen alternative, the repetitions above the minimum, and the index of the chosen character of a class. */
interface GuessPlan {
  branch: number;
  repeats: number;
  letter: number;
  /** The one quantifier that is stretched, and by how much. */
  stretched: AST.Quantifier | undefined;
  extraCount: number;
}

const maxPlans = 60;
const alphabet = [..."a0A-_./: +@,;!zZ9bcdefghijklmnopqrstuvwxyBCDEFGHIJKLMNOPQRSTUVWXY12345678#~é\n"];

/**
 * Yields strings that a pattern may match, for patterns without an automaton. They ignore look-around, so the caller has to test them.
 */
export function* guesses(source: string, min: number): Generator<string> {
  const { pattern } = parseRegExpLiteral(new RegExp(source, "u"));
  const stretchable = quantifiersIn(pattern).filter(({ min: least, max }) => max - least > 2);
  for (let planNumber = 0; planNumber < maxPlans; planNumber += 1) {
    const plan: GuessPlan = {
      branch: planNumber % 5,
      repeats: planNumber % 3,
      letter: Math.floor(planNumber / 5),
      stretched: undefined,
      extraCount: 0,
    };
    const text = readAlternatives(pattern.alternatives, plan, new Map());
    yield text;
    const missing = min - lengthOf(text);
    if (missing <= 0) continue;
    for (const stretched of stretchable.slice(0, 8)) {
      const step =
        lengthOf(readAlternatives(pattern.alternatives, { ...plan, stretched, extraCount: 1 }, new Map())) -
        lengthOf(text);
      const extraCount = step <= 0 ? 0 : Math.ceil(missing / step);
      if (extraCount > 0 && extraCount <= stretched.max - stretched.min)
        yield readAlternatives(pattern.alternatives, { ...plan, stretched, extraCount }, new Map());
    }
  }
}

function quantifiersIn(node: AST.Node): AST.Quantifier[] {
  if (node.type === "Quantifier") return [node, ...quantifiersIn(node.element)];
  if (node.type === "Alternative") return node.elements.flatMap(quantifiersIn);
  return "alternatives" in node ? (node.alternatives as AST.Node[]).flatMap(quantifiersIn) : [];
}

type Groups = Map<AST.CapturingGroup, string>;

function readAlternatives(alternatives: readonly AST.Node[], plan: GuessPlan, groups: Groups): string {
  const chosen = alternatives[plan.branch % alternatives.length];
  return chosen?.type === "Alternative"
    ? chosen.elements.map((element) => readElement(element, plan, groups)).join("")
    : "";
}

function readElement(node: AST.Element, plan: GuessPlan, groups: Groups): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterClass":
    case "CharacterSet":
    case "ExpressionCharacterClass":
      return letterOf(node.raw, plan.letter);
    case "Group":
      return readAlternatives(node.alternatives, plan, groups);
    case "CapturingGroup": {
      const text = readAlternatives(node.alternatives, plan, groups);
      groups.set(node, text);
      return text;
    }
    case "Backreference": {
      const group = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved;
      return (group && groups.get(group)) ?? "";
    }
    case "Quantifier": {
      const repeats = node.min + (plan.stretched === node ? plan.extraCount : Math.min(plan.repeats, 2));
      return Array.from({ length: Math.min(node.max, repeats) }, () => readElement(node.element, plan, groups)).join(
        "",
      );
    }
    default:
      return "";
  }
}

const cachedLetters = new Map<string, string[]>();

function letterOf(raw: string, index: number): string {
  let matchingLetters = cachedLetters.get(raw);
  if (matchingLetters === undefined) {
    const pattern = new RegExp(`^${raw}$`, "u");
    matchingLetters = alphabet.filter((letter) => pattern.test(letter));
    for (let code = 0xa0; matchingLetters.length === 0 && code <= 0x10ffff; code += 1)
      if ((code < 0xd800 || code > 0xdfff) && pattern.test(String.fromCodePoint(code)))
        matchingLetters.push(String.fromCodePoint(code));
    cachedLetters.set(raw, matchingLetters);
  }
  return matchingLetters[index % Math.max(1, matchingLetters.length)] ?? "";
}
