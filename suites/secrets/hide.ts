import { isObject } from "../../schemas/first.ts";
import { readings, type View, viewsOf } from "./view.ts";

/** What stands where a secret stood. */
export const redacted = "[redacted]";

/** Below that, a value is no secret but a word that may stand anywhere. */
export const shortest = 6;

/** Least part of a secret that is hidden where a text was cut off within it. */
const leastPart = 4;

/** Takes secrets out of whatever is shown. */
export interface Hider {
  text(text: string): string;
  /** The same of every string of a value, names of members too, and of a secret that goes on from one string to the next. */
  value<T>(value: T): T;
}

const open: Hider = { text: (text) => text, value: (value) => value };

/**
 * Knows secrets in their forms: as they are and in any letter case, in base64, base64url and hexadecimal, and each of these behind up
 * to four layers of escapes of JSON, URLs and HTML. Works on what was parsed: in a text that is yet to be parsed, what it puts
 * there could change the meaning.
 */
export function hider(secrets: readonly string[]): Hider {
  const known = new Set(secrets.filter((secret) => secret.length >= shortest));
  if (known.size === 0) return open;
  const needles = [...new Set([...known].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const isThere = (text: string): boolean =>
    viewsOf(text).some((view) => needles.some((each) => view.text.includes(each)));

  const text = (whole: string): string => {
    if (whole.length < leastPart) return whole;
    const spans = viewsOf(whole).flatMap((view) => needles.flatMap((needle) => spansOf(needle, view)));
    const shown = without(whole, spans);
    // A body may spread a secret over several members.
    return /^\s*[[{]/.test(shown) && isThere(stringsIn(parsed(shown)).join("")) ? redacted : shown;
  };
  return {
    text,
    value(value) {
      const own = mapped(value, text) as typeof value;
      return isThere(stringsIn(own).join("")) ? (mapped(own, () => redacted) as typeof value) : own;
    },
  };
}

/** What is looked for, in lower case. */
function formsOf(secret: string): string[] {
  const cases = [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];
  return [
    ...readings(secret).filter((reading) => reading.length >= shortest),
    ...cases.flatMap((each) => encoded(Buffer.from(each, "utf8"))),
  ];
}

/** Base64 depends on what goes before: of each of three ways to begin, the characters that only the secret decides. */
function encoded(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return whole.slice(first, last);
  });
  const forms = [...base64, ...base64.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"))];
  return [...forms, bytes.toString("hex")].map((each) => each.toLowerCase());
}

type Span = [from: number, to: number];

function spansOf(needle: string, { text, from, to }: View): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
    found.push([from[at] as number, to[at + needle.length - 1] as number]);
  // What was cut ends in an ellipsis, and may end within a secret.
  for (let end = text.indexOf("…"); end !== -1; end = text.indexOf("…", end + 1)) {
    const part = longestPart(needle, text.slice(Math.max(0, end - needle.length), end));
    if (part >= leastPart) found.push([from[end - part] as number, to[end - 1] as number]);
  }
  return found;
}

/** How much of the beginning of a needle stands at the end of a text. */
function longestPart(needle: string, text: string): number {
  for (let length = Math.min(needle.length, text.length); length >= leastPart; length--)
    if (text.endsWith(needle.slice(0, length))) return length;
  return 0;
}

function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let left = "";
  let end = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (to <= end) continue;
    // What overlaps is one.
    if (from >= end) left += `${text.slice(end, from)}${redacted}`;
    end = to;
  }
  return left + text.slice(end);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The strings that a value holds, in order, however deep: those of members, not their names. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null)
      for (const each of Object.values(next).reverse()) left.push(each);
  }
  return found;
}

/** A copy with every string changed, those of names too. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [change(name), mapped(each, change)]));
}
