import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";

/** A part of a string as a pattern sees it: a fixed string, or a run of characters of one class. */
export interface Piece {
  kind: "fixed" | "run";
  start: number;
  end: number;
  /** The number of characters that the run may have. */
  min: number;
  max: number;
}

/** Lists the pieces of a string that a pattern matches, in order; none if the pattern is not a plain sequence of pieces. */
export function piecesOf(pattern: RegExp, text: string): Piece[] {
  for (const { parts, search } of alternativesOf(pattern)) {
    const indices = search.exec(text)?.indices?.groups;
    if (indices === undefined) continue;
    return parts.flatMap(({ piece }, index) => {
      const [start, end] = indices[`piece${index}`] ?? [0, 0];
      return piece === undefined ? [] : [{ ...piece, start, end }];
    });
  }
  return [];
}

/** One way to match a pattern: its parts in order, and an expression that locates each. */
interface Alternative {
  parts: readonly PatternPart[];
  search: RegExp;
}

const alternativesOfPattern = new WeakMap<RegExp, readonly Alternative[]>();

function alternativesOf(pattern: RegExp): readonly Alternative[] {
  const cached = alternativesOfPattern.get(pattern);
  if (cached !== undefined) return cached;
  const literal = parseRegExpLiteral(pattern);
  const flags = `${pattern.flags.replace("d", "")}d`;
  const alternatives = hasBackreference(literal)
    ? []
    : literal.pattern.alternatives.map(({ elements }): Alternative => {
        const parts = groupElements(elements);
        const groups = parts.map(({ raw, piece }, index) => (piece === undefined ? raw : `(?<piece${index}>${raw})`));
        return { parts, search: new RegExp(groups.join(""), flags) };
      });
  alternativesOfPattern.set(pattern, alternatives);
  return alternatives;
}

interface PatternPart {
  raw: string;
  piece?: Pick<Piece, "kind" | "min" | "max">;
}

/** Joins neighbouring characters to one piece. */
function groupElements(elements: readonly AST.Element[]): PatternPart[] {
  const parts: PatternPart[] = [];
  for (const element of elements) {
    const piece = pieceOf(element);
    const last = parts.at(-1);
    if (piece?.kind === "fixed" && last?.piece?.kind === "fixed") last.raw += element.raw;
    else parts.push({ raw: element.raw, ...(piece === undefined ? {} : { piece }) });
  }
  return parts;
}

function pieceOf(element: AST.Element): PatternPart["piece"] {
  if (element.type === "Character") return { kind: "fixed", min: 1, max: 1 };
  if (isClass(element)) return { kind: "run", min: 1, max: 1 };
  if (element.type === "Quantifier" && isClass(element.element))
    return { kind: "run", min: element.min, max: element.max };
  return undefined;
}

function isClass({ type }: AST.Element): boolean {
  return type === "CharacterClass" || type === "CharacterSet" || type === "ExpressionCharacterClass";
}

function hasBackreference(literal: AST.RegExpLiteral): boolean {
  let hasReference = false;
  visitRegExpAST(literal, {
    onBackreferenceEnter: () => {
      hasReference = true;
    },
  });
  return hasReference;
}
