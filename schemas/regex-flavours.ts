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
  const flagged = /^(\^?)\(\?i\)(.*)$/s.exec(source);
  const [body, fold] = flagged === null ? [source, keepCase] : [`${flagged[1]}${flagged[2]}`, foldCase(isWide)];
  const parts = [...body.matchAll(token)].map(([each]) => {
    if (each.startsWith("(?P=")) return `\\k<${each.slice(4, -1)}>`;
    return anchors[each] ?? fold(each.replace(/^\(\?P</, "(?<"));
  });
  if (parts.includes(undefined)) return undefined;
  const text = parts.join("");
  return text === source ? undefined : unicodeSource(text);
}

function keepCase(each: string): string {
  return each;
}

/** Rewrites a token so that it ignores the case of letters; the function returns undefined for letters beyond ASCII. */
function foldCase(isWide: boolean): (each: string) => string | undefined {
  const letters = (item: string): string => {
    const [first = "", last = first] = item.toLowerCase().split("-");
    const wide = [...(first <= "s" && "s" <= last ? "\u017f" : ""), ...(first <= "k" && "k" <= last ? "\u212a" : "")];
    return `${item.toLowerCase()}${item.toUpperCase()}${isWide ? wide.join("") : ""}`;
  };
  return (each) => {
    if (/^\\[ux]|^\\[pP]\{|^\\c|[^\0-\x7f]/i.test(each)) return undefined;
    if (each.startsWith("\\") || each.startsWith("(")) return each;
    if (each.startsWith("[")) return foldClass(each, letters);
    return /^[a-z]$/i.test(each) ? `[${letters(each)}]` : each;
  };
}

function foldClass(text: string, letters: (item: string) => string): string | undefined {
  const negation = text.startsWith("[^") ? "^" : "";
  const items = text.slice(1 + negation.length, -1).match(/\\.|[^\\]-[^\\]|./gs) ?? [];
  const parts = items.map((item) => {
    if (item.startsWith("\\")) return /^\\[uxpP]/.test(item) ? undefined : item;
    if (/^([a-z]|[a-z]-[a-z]|[A-Z]|[A-Z]-[A-Z])$/.test(item)) return letters(item);
    const hasNoLetters = !/^.-/s.test(item) || item === "A-z" || /^\d-\d$/.test(item);
    return hasNoLetters ? item : undefined;
  });
  return parts.includes(undefined) ? undefined : `[${negation}${parts.join("")}]`;
}
