/** Explains why a regular expression is invalid in ECMA-262 with the `u` flag, with a remedy; undefined if it is valid. */
export function patternFault(source: string): { why: string; hint: string } | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const why = (error as Error).message.replace(/^.*\/[a-z]*: /s, "").toLowerCase();
    const suspect = why === "invalid escape" ? strangeEscape(source) : undefined;
    if (suspect !== undefined) return { why: `${why} ${suspect}`, hint: withoutEscape(suspect) };
    const [, , hint] = foreignSyntax.find(([message, sign]) => why === message && sign.test(source)) ?? [];
    return { why, hint: hint ?? "write it as ECMA-262 says, with the flag u" };
  }
}

/** Deeper than any handwritten pattern. Code that walks through a pattern recursively needs stack for each level. */
const maxPatternDepth = 500;

/** The nesting depth of groups if it exceeds the limit, and otherwise undefined. */
export function tooDeep(source: string): number | undefined {
  let depth = 0;
  let deepest = 0;
  let inBrackets = false;
  for (const [token] of source.matchAll(/\\?./gsu)) {
    if (token === "[") inBrackets = true;
    else if (token === "]") inBrackets = false;
    else if (token === "(" && !inBrackets) depth += 1;
    else if (token === ")" && !inBrackets) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest > maxPatternDepth ? deepest : undefined;
}

/** Syntax of other regular expression flavours, with the message that it causes and a hint. */
const foreignSyntax: readonly [why: string, sign: RegExp, hint: string][] = [
  ["invalid group", /\(\?P</, "write a named group as (?<name>…), without P"],
  ["invalid group", /\(\?P[=>]/, "write a reference to a named group as \\k<name>"],
  ["invalid group", /\(\?[a-z-]+[:)]/, "flags cannot be set in a pattern: write both cases, as in [Aa]"],
  ["invalid group", /\(\?[>#]/, "ECMA-262 has no atomic groups and no comments: write it without"],
  ["nothing to repeat", /[*+?}]\+/, "ECMA-262 has no possessive quantifiers: leave out the second +"],
  ["invalid property name", /\\[pP](?!\{)/, "write the property in braces, as in \\p{L}"],
  ["invalid character class", /-/, "write a hyphen beside a class such as \\w as \\-"],
  ["invalid escape", /\\[0-9]/, "refer to groups that there are, and write a character by its code as \\u0000"],
  ["incomplete quantifier", /\{/, "write a brace that is meant itself as \\{"],
  ["lone quantifier brackets", /[{}\]]/, "write a bracket that is meant itself as \\{, \\} or \\]"],
];

/** The first escape of a character that must not be escaped. A hyphen may be escaped only in brackets. */
function strangeEscape(source: string): string | undefined {
  let inBrackets = false;
  for (const [token] of source.matchAll(/\\?./gsu)) {
    if (token === "[") inBrackets = true;
    else if (token === "]") inBrackets = false;
    else if (/^\\[^^$\\.*+?()[\]{}|/dDsSwWbBtnvfrkcxupP0-9]/u.test(token) && !(inBrackets && token === "\\-"))
      return token;
  }
  return undefined;
}

function withoutEscape(token: string): string {
  if (token === "\\A") return "write ^ for the beginning";
  if (token === "\\Z" || token === "\\z") return "write $ for the end";
  if (/[A-Za-z]/.test(token)) return "write out its characters";
  return `write ${token.slice(1)} without the backslash`;
}
