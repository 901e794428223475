/** Matches braces and strings. A string that is a member name is matched with the colon after it. */
const jsonTokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs;

/** Finds a member name that occurs twice in one object. The text must be valid JSON or JSON lines. */
export function findRepeatedMember(text: string): string | undefined {
  const openObjects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(jsonTokens)) {
    if (token === "{") openObjects.push(new Set());
    else if (token === "}") openObjects.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string;
      if (openObjects.at(-1)?.has(name)) return name;
      openObjects.at(-1)?.add(name);
    }
  }
  return undefined;
}
