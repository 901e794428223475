import { createRequire } from "node:module";
import type { AST } from "@eslint-community/regexpp";

const require = createRequire(import.meta.url);

/**
 * Respells a pattern so that it is legal with the flag `u` and keeps its meaning without the flag. For patterns with unneeded escapes or literal
 * brackets. Undefined if it is not a regular expression in either mode.
 */
export function unicodeSource(source: string): string | undefined {
  if (isLegal(source, "u")) return source;
  if (!isLegal(source, "")) return undefined;
  // Loaded by `require` here, since few patterns need it.
  const library = require("@eslint-community/regexpp") as Library;
  try {
    const spelled = respell(source, library);
    return isLegal(spelled, "u") ? spelled : undefined;
  } catch (error) {
    if (error instanceof library.RegExpSyntaxError) return undefined;
    throw error;
  }
}

function isLegal(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

type Library = typeof import("@eslint-community/regexpp");

/** Rewrites every ambiguous literal character so that it is legal with the flag `u`. */
function respell(source: string, { parseRegExpLiteral, visitRegExpAST }: Library): string {
  const literal = parseRegExpLiteral(new RegExp(source));
  const { raw: text, start } = literal.pattern;
  const changes: { from: number; to: number; replacement: string }[] = [];
  const change = (node: AST.Node, replacement: string) =>
    changes.push({ from: node.start - start, to: node.end - start, replacement });
  visitRegExpAST(literal, {
    onCharacterEnter(node) {
      const inClass = node.parent.type === "CharacterClass" || node.parent.type === "CharacterClassRange";
      if (!isLegal(inClass ? `[${node.raw}]` : node.raw, "u") || (inClass && node.raw === "-"))
        change(node, spellCharacter(node.value));
    },
  });
  let respelled = "";
  let lastEnd = 0;
  for (const { from, to, replacement } of changes.sort((a, b) => a.from - b.from)) {
    respelled += text.slice(lastEnd, from) + replacement;
    lastEnd = to;
  }
  return respelled + text.slice(lastEnd);
}

function spellCharacter(code: number): string {
  return /[A-Za-z0-9_ ]/.test(String.fromCodePoint(code))
    ? String.fromCodePoint(code)
    : `\\u{${code.toString(16).toUpperCase()}}`;
}
