import { unicodeSource } from "./unicode.ts";

/**
 * A keyword for a pattern with `(?i)` as languages read it that know two letters beyond ASCII as other cases of s and k: Python and Go do, Java does not.
 * No validator knows it, so it has no effect.
 */
export const widePattern = "x-touchstone-wide-pattern";

const token =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|.)|\(\?P?<[\w$]+>|\(\?P=\w+\)|\[(?:\\.|[^\]\\])*\]|./gsu;
const ends: Readonly<Record<string, string>> = { "\\A": "^", "\\Z": "$", "\\z": "$" };

/**
 * A pattern of Python, Java, .NET and others as ECMA-262 writes it: the anchors `\A`, `\Z` and `\z`, named groups with `P`, and `(?i)` for the whole
 * pattern. Undefined for a pattern without them, and for one that cannot be written so.
 */
export function ecmaSource(source: string, isWide = false): string | undefined {
  const flagged = /^(\^?)\(\?i\)(.*)$/s.exec(source);
  const [body, fold] = flagged === null ? [source, keepCase] : [`${flagged[1]}${flagged[2]}`, foldCase(isWide)];
  const parts = [...body.matchAll(token)].map(([each]) => {
    if (each.startsWith("(?P=")) return `\\k<${each.slice(4, -1)}>`;
    return ends[each] ?? fold(each.replace(/^\(\?P</, "(?<"));
  });
  if (parts.includes(undefined)) return undefined;
  const text = parts.join("");
  return text === source ? undefined : unicodeSource(text);
}

function keepCase(each: string): string {
  return each;
}

/** Rewrites a part of a pattern that ignores the case of letters; gives undefined if its letters are not plain ones. */
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
    const isOfOthers = !/^.-/s.test(item) || item === "A-z" || /^\d-\d$/.test(item);
    return isOfOthers ? item : undefined;
  });
  return parts.includes(undefined) ? undefined : `[${negation}${parts.join("")}]`;
}
