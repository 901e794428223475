import { unicodeSource } from "./unicode.ts";

const token =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|.)|\(\?P?<[\w$]+>|\(\?P=\w+\)|\[(?:\\.|[^\]\\])*\]|./gsu;
const ends: Readonly<Record<string, string>> = { "\\A": "^", "\\Z": "$", "\\z": "$" };

/**
 * A pattern of Python, Java, .NET and others as ECMA-262 writes it: the anchors `\A`, `\Z` and `\z`, named groups with `P`, and `(?i)` for the whole
 * pattern. Undefined for a pattern without them, and for one that cannot be written so.
 */
export function ecmaSource(source: string): string | undefined {
  const flagged = /^(\^?)\(\?i\)(.*)$/s.exec(source);
  const [body, fold] = flagged === null ? [source, keepCase] : [`${flagged[1]}${flagged[2]}`, bothCases];
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

/** A part of a pattern that ignores the case of letters; undefined if its letters are not plain ones. */
function bothCases(each: string): string | undefined {
  if (/^\\[ux]|^\\[pP]\{|^\\c|[^\0-\x7f]/i.test(each)) return undefined;
  if (each.startsWith("\\") || each.startsWith("(")) return each;
  if (each.startsWith("[")) return classInBothCases(each);
  return /^[a-z]$/i.test(each) ? `[${each.toLowerCase()}${each.toUpperCase()}]` : each;
}

function classInBothCases(text: string): string | undefined {
  const negation = text.startsWith("[^") ? "^" : "";
  const items = text.slice(1 + negation.length, -1).match(/\\.|[^\\]-[^\\]|./gs) ?? [];
  const both = items.map((item) => {
    if (item.startsWith("\\")) return /^\\[uxpP]/.test(item) ? undefined : item;
    if (/^([a-z]|[a-z]-[a-z]|[A-Z]|[A-Z]-[A-Z])$/.test(item)) return item.toLowerCase() + item.toUpperCase();
    const isOfOthers = !/^.-/s.test(item) || item === "A-z" || /^\d-\d$/.test(item);
    return isOfOthers ? item : undefined;
  });
  return both.includes(undefined) ? undefined : `[${negation}${both.join("")}]`;
}
