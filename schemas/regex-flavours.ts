import { unicodeSource } from "./unicode.ts";

/**
 * A keyword for a pattern with `(?i)` as Python and Go read it: two letters beyond ASCII are other cases of s and k. Java does not know them.
 * No validator knows the keyword, so it has no effect.
 */
export const widePattern = "x-touchstone-wide-pattern";

/** One token of a pattern: an escape, the start of a named group, a named reference, a class, or a character. */
const token =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|.)|\(\?P?<[\w$]+>|\(\?P=\w+\)|\[(?:\\.|[^\]\\])*\]|./gsu;
/** Anchors of other flavours, with their ECMA-262 equivalents. */
const anchors: Readonly<Record<string, string>> = { "\\A": "^", "\\Z": "$", "\\z": "$" };

/**
 * Converts a pattern of Python, Java, .NET and others to ECMA-262: the anchors `\A`, `\Z` and `\z`, named groups with `P`, and `(?i)` for the whole
 * pattern. Undefined for a pattern without these, and for a pattern that cannot be converted.
 */
export function ecmaSource(source: string, isWide = false): string | undefined {
  const withFlag = /^(\^?)\(\?i\)(.*)$/s.exec(source);
  const [body, fold] = withFlag === null ? [source, keepCase] : [`${withFlag[1]}${withFlag[2]}`, foldCase(isWide)];
  const parts = [...body.matchAll(token)].map(([part]) => {
    if (part.startsWith("(?P=")) return `\\k<${part.slice(4, -1)}>`;
    return anchors[part] ?? fold(part.replace(/^\(\?P</, "(?<"));
  });
  if (parts.includes(undefined)) return undefined;
  const text = parts.join("");
  return text === source ? undefined : unicodeSource(text);
}

function keepCase(part: string): string {
  return part;
}

/** Returns a function that rewrites a token so that it ignores case. The function returns undefined for letters beyond ASCII. */
function foldCase(isWide: boolean): (part: string) => string | undefined {
  const lettersOf = (item: string): string => {
    const [first = "", last = first] = item.toLowerCase().split("-");
    const wide = [...(first <= "s" && "s" <= last ? "\u017f" : ""), ...(first <= "k" && "k" <= last ? "\u212a" : "")];
    return `${item.toLowerCase()}${item.toUpperCase()}${isWide ? wide.join("") : ""}`;
  };
  return (part) => {
    if (/^\\[ux]|^\\[pP]\{|^\\c|[^\0-\x7f]/i.test(part)) return undefined;
    if (part.startsWith("\\") || part.startsWith("(")) return part;
    if (part.startsWith("[")) return foldClass(part, lettersOf);
    return /^[a-z]$/i.test(part) ? `[${lettersOf(part)}]` : part;
  };
}

function foldClass(text: string, lettersOf: (item: string) => string): string | undefined {
  const negation = text.startsWith("[^") ? "^" : "";
  const items = text.slice(1 + negation.length, -1).match(/\\.|[^\\]-[^\\]|./gs) ?? [];
  const parts = items.map((item) => {
    if (item.startsWith("\\")) return /^\\[uxpP]/.test(item) ? undefined : item;
    if (/^([a-z]|[a-z]-[a-z]|[A-Z]|[A-Z]-[A-Z])$/.test(item)) return lettersOf(item);
    const hasNoLetters = !/^.-/s.test(item) || item === "A-z" || /^\d-\d$/.test(item);
    return hasNoLetters ? item : undefined;
  });
  return parts.includes(undefined) ? undefined : `[${negation}${parts.join("")}]`;
}
