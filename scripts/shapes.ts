import { parseAst } from "vitest/node";
import { home } from "../schemas/index.ts";
import { isProgram, isTest, readTree, type Tree } from "./tree.ts";

/** The limits of a function, and of a file. */
export const limits = { lines: 60, parameters: 4, nesting: 3 } as const;

/** One kind of bad shape. */
export type ShapeKind = "long" | "wide" | "deep" | "state" | "folded";

/** The subject that each kind counts. */
export const shapes: Readonly<Record<ShapeKind, string>> = {
  long: `functions of more than ${limits.lines} lines`,
  wide: `functions of more than ${limits.parameters} parameters`,
  deep: `functions whose statements are nested more than ${limits.nesting} deep`,
  state: "variables of a module without a comment that defends them",
  folded: "literals spread into a literal or a call, where their members would do",
};

/** The most of each kind. A ceiling is lowered when shapes get better, and is never raised. */
export const ceilings: Readonly<Record<ShapeKind, number>> = { long: 2, wide: 9, deep: 37, state: 0, folded: 0 };

/** How far a count may lie below its ceiling before the ceiling must be lowered. */
export const slack = 10;

/** A function or variable with a shape over a limit. */
export interface Finding {
  shape: ShapeKind;
  name: string;
  /** Lines, parameters or levels; 1 for a variable. */
  size: number;
  file: string;
  /** Counted from 1. */
  line: number;
}

/** A node of a syntax tree in the form of ESTree, as the parser gives it. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** The parts over a limit in the programs of a tree, of tests and fixtures only the folded ones; worst first. */
export function shapesIn(tree: Tree): Finding[] {
  return [...tree]
    .filter(([path]) => isProgram(path) && path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .flatMap(([file, text]) => shapesOf(text).map((finding) => ({ ...finding, file })))
    .filter(({ shape, file }) => shape === "folded" || !isTest(file))
    .sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
}

/** The parts over a limit in one text of TypeScript. */
export function shapesOf(text: string): Omit<Finding, "file">[] {
  const found: Omit<Finding, "file">[] = [];
  const lineAt = lineReader(text);
  const program = parseAst(text, { lang: "ts" }) as unknown as SyntaxNode;
  const judge = (node: SyntaxNode, name: string): void => {
    const line = lineAt(node.start);
    const sizes = {
      long: lineAt(node.end) - line + 1,
      wide: (node.params as SyntaxNode[]).filter(({ name: own }) => own !== "this").length,
      deep: depthOf(node.body as SyntaxNode),
    };
    const most = { long: limits.lines, wide: limits.parameters, deep: limits.nesting };
    for (const shape of ["long", "wide", "deep"] as const)
      if (sizes[shape] > most[shape]) found.push({ shape, name, size: sizes[shape], line });
  };
  const visit = (node: SyntaxNode, name: string): void => {
    if (isFunction(node) && node.body) judge(node, nameOf(node) ?? name);
    if (["ArrayExpression", "ObjectExpression", "CallExpression"].includes(node.type))
      for (const spread of literalSpreads(node))
        found.push({ shape: "folded", name, size: 1, line: lineAt(spread.start) });
    for (const child of children(node)) visit(child, nameOf(node) ?? name);
  };
  visit(program, "module");
  for (const { name, start } of findUndefended(program.body as SyntaxNode[], text))
    found.push({ shape: "state", name, size: 1, line: lineAt(start) });
  return found;
}

/** The spreads of literals into a literal of their kind or into a call: `[...["a", "b"]]` is `["a", "b"]`. */
function literalSpreads({ type, elements, properties, arguments: operands }: SyntaxNode): SyntaxNode[] {
  const literal = type === "ObjectExpression" ? type : "ArrayExpression";
  return ((elements ?? properties ?? operands) as (SyntaxNode | null)[])
    .filter((element) => element !== null)
    .filter((element) => element.type === "SpreadElement" && bareOperand(element).type === literal);
}

/** The operand of a spread, without parentheses and `as const`. */
function bareOperand({ argument, expression }: SyntaxNode): SyntaxNode {
  const operand = (argument ?? expression) as SyntaxNode;
  return ["TSAsExpression", "ParenthesizedExpression"].includes(operand.type) ? bareOperand(operand) : operand;
}

/** The module-level variables declared with `let`, unless a comment precedes the declaration, or its block of such lines. */
function findUndefended(statements: readonly SyntaxNode[], text: string): { name: string; start: number }[] {
  let before = { end: -1, isDefended: false };
  return statements.flatMap((statement) => {
    const node = statement.type === "ExportNamedDeclaration" ? (statement.declaration as SyntaxNode | null) : statement;
    if (node?.type !== "VariableDeclaration" || node.kind !== "let") return [];
    const isDefended =
      /(?:\*\/|\/\/[^\n]*)\s*$/.test(text.slice(0, statement.start)) ||
      (before.isDefended && /^;?\n$/.test(text.slice(before.end, statement.start)));
    before = { end: statement.end, isDefended };
    if (isDefended) return [];
    return (node.declarations as SyntaxNode[]).map(({ id }) => ({
      name: String((id as SyntaxNode).name),
      start: statement.start,
    }));
  });
}

const nesting = new Set([
  "IfStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
  "SwitchStatement",
  "TryStatement",
]);

/** How deep the statements of a function's body are nested. Functions within are counted by themselves, and `else if` adds nothing. */
function depthOf(node: SyntaxNode): number {
  if (isFunction(node)) return 0;
  const own = nesting.has(node.type) ? 1 : 0;
  const depths = children(node).map((child) =>
    node.alternate === child && child.type === "IfStatement" ? depthOf(child) - 1 : depthOf(child),
  );
  return own + Math.max(0, ...depths);
}

function isFunction({ type }: SyntaxNode): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(type);
}

/** The name that a node declares, for itself and its content. */
function nameOf({ id, key }: SyntaxNode): string | undefined {
  const named = (id ?? key) as SyntaxNode | null | undefined;
  return named?.type === "Identifier" ? String(named.name) : undefined;
}

function children(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** The line of each place in a text, counted from 1. */
function lineReader(text: string): (place: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (place) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

// As a program it lists them, worst first.
if (process.argv[1] === import.meta.filename) {
  const found = shapesIn(readTree(home));
  for (const { shape, name, size, file, line } of found) console.log(`${shape} ${size} ${name} ${file}:${line}`);
  for (const [shape, meaning] of Object.entries(shapes))
    console.log(`${found.filter((finding) => finding.shape === shape).length} ${meaning}`);
}
