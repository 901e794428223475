import { type AST, parseRegExpLiteral, RegExpSyntaxError, visitRegExpAST } from "@eslint-community/regexpp";

/**
 * The pattern in a spelling that is legal with the flag `u`, with the meaning it has without: escapes that need none, brackets that
 * stand for themselves. Undefined when it is no regular expression either way.
 */
export function unicodeSource(source: string): string | undefined {
  if (isLegal(source, "u")) return source;
  if (!isLegal(source, "")) return undefined;
  try {
    const spelled = respell(source);
    return isLegal(spelled, "u") ? spelled : undefined;
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return undefined;
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

/** Every character that stands for itself, spelled so that it can mean nothing else. */
function respell(source: string): string {
  const literal = parseRegExpLiteral(new RegExp(source));
  const { raw: text, start } = literal.pattern;
  const changes: { from: number; to: number; by: string }[] = [];
  const change = (node: AST.Node, by: string) => changes.push({ from: node.start - start, to: node.end - start, by });
  visitRegExpAST(literal, {
    onCharacterEnter(node) {
      const inClass = node.parent.type === "CharacterClass" || node.parent.type === "CharacterClassRange";
      if (!isLegal(inClass ? `[${node.raw}]` : node.raw, "u") || (inClass && node.raw === "-"))
        change(node, spelled(node.value));
    },
  });
  let changed = "";
  let from = 0;
  for (const { from: begin, to, by } of changes.sort((a, b) => a.from - b.from)) {
    changed += text.slice(from, begin) + by;
    from = to;
  }
  return changed + text.slice(from);
}

function spelled(code: number): string {
  return /[A-Za-z0-9_ ]/.test(String.fromCodePoint(code))
    ? String.fromCodePoint(code)
    : `\\u{${code.toString(16).toUpperCase()}}`;
}
