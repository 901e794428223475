import { parseAst } from "vitest/node";
import { home } from "../schemas/index.ts";
import { isProgram, isTest, readTree, type Tree } from "./tree.ts";

/** The limits of a function, and of a file. */
export const limits = { lines: 60, parameters: 4, nesting: 3 } as const;

/** One kind of bad shape. */
export type ShapeKind = "long" | "wide" | "deep" | "state" | "folded";

/** The description of each kind. */
export const shapes: Readonly<Record<ShapeKind, string>> = {
  long: `functions of more than ${limits.lines} lines`,
  wide: `functions of more than ${limits.parameters} parameters`,
  deep: `functions whose statements are nested more than ${limits.nesting} deep`,
  state: "variables of a module without a comment that defends them",
  folded: "literals spread into a literal or a call, where their members would do",
};

/** The maximum count of each kind. A ceiling is lowered when shapes get better, and is never raised. */
export const ceilings: Readonly<Record<ShapeKind, number>> = { long: 0, wide: 9, deep: 37, state: 0, folded: 0 };

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

/** A node of an ESTree syntax tree. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** Finds shapes over a limit in the programs of a tree, the worst first. In tests and fixtures, only folded literals count. */
export function shapesIn(tree: Tree): Finding[] {
  return [...tree]
    .filter(([path]) => isProgram(path) && path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .flatMap(([file, text]) => shapesOf(text).map((finding) => ({ ...finding, file })))
    .filter(({ shape, file }) => shape === "folded" || !isTest(file))
    .sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
}

/** Finds shapes over a limit in a TypeScript text. */
export function shapesOf(text: string): Omit<Finding, "file">[] {
  const findings: Omit<Finding, "file">[] = [];
  const lineAt = lineReader(text);
  const program = parseAst(text, { lang: "ts" }) as unknown as SyntaxNode;
  const judge = (node: SyntaxNode, name: string): void => {
    const line = lineAt(node.start);
    const sizes = {
      long: lineAt(node.end) - line + 1,
      wide: (node.params as SyntaxNode[]).filter(({ name: parameterName }) => parameterName !== "this").length,
      deep: depthOf(node.body as SyntaxNode),
    };
    const maxima = { long: limits.lines, wide: limits.parameters, deep: limits.nesting };
    for (const shape of ["long", "wide", "deep"] as const)
      if (sizes[shape] > maxima[shape]) findings.push({ shape, name, size: sizes[shape], line });
  };
  const visit = (node: SyntaxNode, name: string): void => {
    if (isFunction(node) && node.body) judge(node, nameOf(node) ?? name);
    if (["ArrayExpression", "ObjectExpression", "CallExpression"].includes(node.type))
      for (const spread of literalSpreads(node))
        findings.push({ shape: "folded", name, size: 1, line: lineAt(spread.start) });
    for (const child of children(node)) visit(child, nameOf(node) ?? name);
  };
  visit(program, "module");
  for (const { name, start } of findUndefended(program.body as SyntaxNode[], text))
    findings.push({ shape: "state", name, size: 1, line: lineAt(start) });
  return findings;
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

/** Finds module-level `let` variables without a comment, neither directly before them nor before the uninterrupted block of such lines. */
function findUndefended(statements: readonly SyntaxNode[], text: string): { name: string; start: number }[] {
  let previous = { end: -1, isDefended: false };
  return statements.flatMap((statement) => {
    const node = statement.type === "ExportNamedDeclaration" ? (statement.declaration as SyntaxNode | null) : statement;
    if (node?.type !== "VariableDeclaration" || node.kind !== "let") return [];
    const isDefended =
      /(?:\*\/|\/\/[^\n]*)\s*$/.test(text.slice(0, statement.start)) ||
      (previous.isDefended && /^;?\n$/.test(text.slice(previous.end, statement.start)));
    previous = { end: statement.end, isDefended };
    if (isDefended) return [];
    return (node.declarations as SyntaxNode[]).map(({ id }) => ({
      name: String((id as SyntaxNode).name),
      start: statement.start,
    }));
  });
}

const nestingTypes = new Set([
  "IfStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
  "SwitchStatement",
  "TryStatement",
]);

/** The nesting depth of statements in a node. Nested functions are counted separately, and `else if` adds no level. */
function depthOf(node: SyntaxNode): number {
  if (isFunction(node)) return 0;
  const ownLevel = nestingTypes.has(node.type) ? 1 : 0;
  const depths = children(node).map((child) =>
    node.alternate === child && child.type === "IfStatement" ? depthOf(child) - 1 : depthOf(child),
  );
  return ownLevel + Math.max(0, ...depths);
}

function isFunction({ type }: SyntaxNode): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(type);
}

/** The name that a node declares, for itself and its content. */
function nameOf({ id, key }: SyntaxNode): string | undefined {
  const identifier = (id ?? key) as SyntaxNode | null | undefined;
  return identifier?.type === "Identifier" ? String(identifier.name) : undefined;
}

function children(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** Makes a function that returns the line of an offset in a text, counted from 1. */
function lineReader(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

// As a program it lists them, worst first.
if (process.argv[1] === import.meta.filename) {
  const findings = shapesIn(readTree(home));
  for (const { shape, name, size, file, line } of findings) console.log(`${shape} ${size} ${name} ${file}:${line}`);
  for (const [shape, meaning] of Object.entries(shapes))
    console.log(`${findings.filter((finding) => finding.shape === shape).length} ${meaning}`);
}
