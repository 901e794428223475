import { isObject, jsonOf } from "../../../schemas/light-entry.ts";
import { type DecodedView, spellingsOf, viewsOf } from "./decoded-view.ts";
import { findSpread } from "./spread.ts";
import { isOwnWord } from "./words.ts";

/** The replacement of a secret. */
export const redactedText = "[redacted]";

/** A shorter value is not hidden: it may occur anywhere as an ordinary word. */
export const minSecretLength = 6;

/** The shortest part of a secret that is hidden at a cut within it. */
const minPart = 4;

/** The shortest part of a secret that is hidden anywhere, if it is half of the secret. */
const minHalf = 8;

/** Hides secrets in text from other programs. */
export interface Hider {
  text(text: string): string;
  /** Does the same for related texts, over which a secret may be spread. */
  texts(texts: readonly string[]): string[];
}

const passThrough: Hider = { text: (text) => text, texts: (texts) => [...texts] };

/** How often a text is searched again: replacing one secret may complete another one. */
const maxRounds = 3;

/** Makes a hider that finds secrets in many forms: literal, in any letter case, in base64, base64url or hexadecimal, within up to four layers of JSON, URL or HTML escapes, and broken into lines or parts. Use it only on text from other programs: in our own text, or in text that is still to be parsed, a replacement could change the meaning. */
export function createHider(secrets: readonly string[]): Hider {
  const hiddenSecrets = new Set(secrets.filter((secret) => secret.length >= minSecretLength && !isOwnWord(secret)));
  if (hiddenSecrets.size === 0) return passThrough;
  const needles = [...new Set([...hiddenSecrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  // Most texts contain no secret; they are decoded once and searched twice, for whole secrets and for halves.
  let lastRead: { text: string; views: DecodedView[] } | undefined;
  const readViews = (text: string): DecodedView[] => {
    if (lastRead?.text !== text) lastRead = { text, views: viewsOf(text) };
    return lastRead.views;
  };
  const containsNeedle = (text: string): boolean =>
    readViews(text).some((view) => needles.some((needle) => view.text.includes(needle)));

  const hideWholeSecrets = (original: string): string => {
    if (original.length < minPart) return original;
    let shown = original;
    for (let round = 0; round < maxRounds; round++) {
      const spans = readViews(shown).flatMap((view) => {
        const marks = [...view.text.matchAll(cutMarks)];
        return needles.flatMap((needle) => spansOf(needle, view, marks));
      });
      if (spans.length === 0) break;
      shown = redactSpans(shown, spans);
      if (round === maxRounds - 1 && containsNeedle(shown)) return redactedText;
    }
    // A body may spread a secret over several members.
    if (!/^\s*[[{]/.test(shown)) return shown;
    const { values, names } = textsIn(jsonOf(shown));
    const isSpread = [values, [...values, ...names]].some((group) => findSpread(group, needles).length > 0);
    return isSpread ? redactedText : shown;
  };
  // Halves are hidden last: the parts of a spread secret have to be found together.
  const hideHalves = (shown: string): string =>
    redactSpans(
      shown,
      readViews(shown).flatMap((view) => needles.flatMap((needle) => halvesIn(needle, view))),
    );
  return {
    text: (whole) => hideHalves(hideWholeSecrets(whole)),
    texts(originals) {
      const shown = originals.map(hideWholeSecrets);
      for (let round = 0; round < maxRounds; round++) {
        const parts = findSpread(shown, needles);
        if (parts.length === 0) return shown.map(hideHalves);
        for (const part of parts) shown[part] = redactedText;
      }
      return shown.map(() => redactedText);
    },
  };
}

/** Returns the forms of a secret to search for, in lower case. */
function formsOf(secret: string): string[] {
  const plusForms = secret.includes(" ") ? spellingsOf(secret.replaceAll(" ", "+")) : [];
  const cases = [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];
  const isAscii = /^[\0-\x7f]*$/.test(secret);
  return [
    ...[...spellingsOf(secret), ...plusForms, ...(isAscii ? [] : misreadForms(secret).flatMap(spellingsOf))].filter(
      (reading) => reading.length >= minSecretLength,
    ),
    ...cases.flatMap((text) => encodeBytes(Buffer.from(text, "utf8"))),
    ...(isAscii ? [] : encodeBytes(Buffer.from(secret, "latin1"))),
  ];
}

/** Returns non-ASCII text as a header or another program may show it: UTF-8 read as Latin-1, with each unknown character or octet left out or replaced. */
function misreadForms(secret: string): string[] {
  const octets = Buffer.from(secret, "utf8").toString("latin1");
  const lostMarks = ["", "?", "_", "\ufffd"].flatMap((mark) =>
    [secret, octets].map((text) => text.replace(/[^\0-\x7f]/gu, mark)),
  );
  return [octets, ...lostMarks];
}

/** Encodes bytes in base64 and hexadecimal. Base64 depends on the preceding bytes, so it is returned for each of three offsets, reduced to the characters that the secret alone determines. */
function encodeBytes(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].map((precedingBytes) => {
    const encoded = Buffer.concat([Buffer.alloc(precedingBytes), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((precedingBytes * 8) / 6);
    const last = Math.floor(((precedingBytes + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
  const forms = [...base64, ...base64.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"))];
  return [...forms, bytes.toString("hex")].map((each) => each.toLowerCase());
}

type SecretSpan = [from: number, to: number];

/** Finds a needle in a text, and its parts beside the cuts at `marks`. */
function spansOf(needle: string, { text, from, to }: DecodedView, marks: readonly RegExpMatchArray[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
    spans.push([from(at), to(at + needle.length - 1)]);
  // A cut may begin or end within a secret, and even within an escape.
  for (const { index = 0, 0: mark } of marks) {
    const before = text.slice(Math.max(0, index - needle.length - maxEscape), index);
    const escapeLength = (/[\\%&][#\w{]*$/.exec(before)?.[0] ?? "").length;
    for (const end of new Set([index, index - escapeLength])) {
      const part = longestPrefixAtEnd(needle, text.slice(Math.max(0, end - needle.length), end));
      if (part >= minPart) spans.push([from(end - part), to(index - 1)]);
    }
    const after = index + mark.length;
    const afterNeedle = text.slice(after, after + needle.length + maxEscape);
    const escapeTail = (/^[\w{}#]*;?/.exec(afterNeedle)?.[0] ?? "").length;
    for (let skippedCharacters = 0; skippedCharacters <= Math.min(escapeTail, maxEscape); skippedCharacters++) {
      const part = longestSuffixAtStart(needle, afterNeedle.slice(skippedCharacters));
      if (part < minPart) continue;
      spans.push([from(after), to(after + skippedCharacters + part - 1)]);
      break;
    }
  }
  return spans;
}

/** The marks that programs put where they cut a text: an ellipsis, or dots after an optional quote. */
const cutMarks = /…|['"`]?\.{3,}/g;

/** Finds half of a needle or more on its own: programs may show only the beginning or the end of a secret. A match of letters alone may be an unrelated word, unless it is most of the needle. */
function halvesIn(needle: string, { text, from, to }: DecodedView): SecretSpan[] {
  const minLength = Math.max(minHalf, Math.ceil(needle.length / 2));
  if (needle.length <= minLength) return [];
  const spans: SecretSpan[] = [];
  // A part of the minimum length contains at least one chunk of this size completely.
  const chunk = Math.floor(minLength / 2);
  for (let begin = 0; begin + chunk <= needle.length; begin += chunk) {
    const piece = needle.slice(begin, begin + chunk);
    for (let index = text.indexOf(piece); index !== -1; ) {
      let before = 0;
      while (before < begin && index > before && text[index - before - 1] === needle[begin - before - 1]) before += 1;
      let end = index + chunk;
      while (end < text.length && text[end] === needle[begin + end - index]) end += 1;
      const part = text.slice(index - before, end);
      const isDistinctive = /[^a-z]/.test(part) || part.length * 4 >= needle.length * 3;
      const isRevealing = part.length >= minLength && isDistinctive;
      if (isRevealing) spans.push([from(index - before), to(end - 1)]);
      index = text.indexOf(piece, isRevealing ? end : index + 1);
    }
  }
  return spans;
}

/** The maximum length of an escape. */
const maxEscape = 10;

/** Returns the length of the longest prefix of a needle at the end of a text; 0 if it is shorter than `minPart`. */
function longestPrefixAtEnd(needle: string, text: string): number {
  for (let length = Math.min(needle.length, text.length); length >= minPart; length--)
    if (text.endsWith(needle.slice(0, length))) return length;
  return 0;
}

/** Returns the length of the longest suffix of a needle at the beginning of a text; 0 if it is shorter than `minPart`. */
function longestSuffixAtStart(needle: string, text: string): number {
  for (let length = Math.min(needle.length, text.length); length >= minPart; length--)
    if (text.startsWith(needle.slice(-length))) return length;
  return 0;
}

function redactSpans(text: string, spans: readonly SecretSpan[]): string {
  if (spans.length === 0) return text;
  let shown = "";
  let end = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (to <= end) continue;
    // Overlapping spans are merged.
    if (from >= end) shown += `${text.slice(end, from)}${redactedText}`;
    end = to;
  }
  return shown + text.slice(end);
}

/** Collects the strings in a value in their order, at any depth, and the names of its members. */
function textsIn(value: unknown): { values: string[]; names: string[] } {
  const values: string[] = [];
  const names: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") values.push(next);
    else if (Array.isArray(next)) for (const each of next.toReversed()) pending.push(each);
    else if (isObject(next)) {
      names.push(...Object.keys(next));
      pending.push(...Object.values(next).reverse());
    }
  }
  return { values, names };
}
