import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";
import { lengthOf } from "./code-points.ts";

/** The chosen alternative, the repetitions of a part above its minimum, and the chosen character of a class. */
interface GuessPlan {
  branch: number;
  more: number;
  letter: number;
  /** The one quantifier that is stretched, and by how much. */
  stretched: AST.Quantifier | undefined;
  by: number;
}

const maxPlans = 60;
const alphabet = [..."a0A-_./: +@,;!zZ9bcdefghijklmnopqrstuvwxyBCDEFGHIJKLMNOPQRSTUVWXY12345678#~é\n"];

/**
 * Strings that a pattern may match, for patterns without an automaton: the pattern is read out, look-around ignored,
 * back-references repeated. The caller has to test them.
 */
export function* guesses(source: string, min: number): Generator<string> {
  const { pattern } = parseRegExpLiteral(new RegExp(source, "u"));
  const open = quantifiersIn(pattern).filter(({ min: least, max }) => max - least > 2);
  for (let number = 0; number < maxPlans; number += 1) {
    const plan: GuessPlan = {
      branch: number % 5,
      more: number % 3,
      letter: Math.floor(number / 5),
      stretched: undefined,
      by: 0,
    };
    const text = read(pattern.alternatives, plan, new Map());
    yield text;
    const lacking = min - lengthOf(text);
    if (lacking <= 0) continue;
    for (const stretched of open.slice(0, 8)) {
      const step = lengthOf(read(pattern.alternatives, { ...plan, stretched, by: 1 }, new Map())) - lengthOf(text);
      const by = step <= 0 ? 0 : Math.ceil(lacking / step);
      if (by > 0 && by <= stretched.max - stretched.min)
        yield read(pattern.alternatives, { ...plan, stretched, by }, new Map());
    }
  }
}

function quantifiersIn(node: AST.Node): AST.Quantifier[] {
  if (node.type === "Quantifier") return [node, ...quantifiersIn(node.element)];
  if (node.type === "Alternative") return node.elements.flatMap(quantifiersIn);
  return "alternatives" in node ? (node.alternatives as AST.Node[]).flatMap(quantifiersIn) : [];
}

type Groups = Map<AST.CapturingGroup, string>;

function read(alternatives: readonly AST.Node[], plan: GuessPlan, groups: Groups): string {
  const chosen = alternatives[plan.branch % alternatives.length];
  return chosen?.type === "Alternative" ? chosen.elements.map((element) => part(element, plan, groups)).join("") : "";
}

function part(node: AST.Element, plan: GuessPlan, groups: Groups): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterClass":
    case "CharacterSet":
    case "ExpressionCharacterClass":
      return letterOf(node.raw, plan.letter);
    case "Group":
      return read(node.alternatives, plan, groups);
    case "CapturingGroup": {
      const text = read(node.alternatives, plan, groups);
      groups.set(node, text);
      return text;
    }
    case "Backreference": {
      const group = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved;
      return (group && groups.get(group)) ?? "";
    }
    case "Quantifier": {
      const wanted = node.min + (plan.stretched === node ? plan.by : Math.min(plan.more, 2));
      return Array.from({ length: Math.min(node.max, wanted) }, () => part(node.element, plan, groups)).join("");
    }
    default:
      return "";
  }
}

const letters = new Map<string, string[]>();

function letterOf(raw: string, index: number): string {
  let fitting = letters.get(raw);
  if (fitting === undefined) {
    const one = new RegExp(`^${raw}$`, "u");
    fitting = alphabet.filter((each) => one.test(each));
    for (let code = 0xa0; fitting.length === 0 && code <= 0x10ffff; code += 1)
      if ((code < 0xd800 || code > 0xdfff) && one.test(String.fromCodePoint(code)))
        fitting.push(String.fromCodePoint(code));
    letters.set(raw, fitting);
  }
  return fitting[index % Math.max(1, fitting.length)] ?? "";
}
