const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs;

/** The name of a member that occurs twice in one object of a JSON text, or of JSON lines that can each be parsed; undefined if there is none. */
export function findRepeatedMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, isName] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (isName !== undefined) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
