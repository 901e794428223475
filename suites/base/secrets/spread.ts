import { spellingsOf, viewsOf } from "./decoded-view.ts";

/** The length of the shortest part of a secret that counts if two parts occur within other text. */
const minPiece = 3;

/** The locations of the texts that together spell one of the needles; empty if none do. They may follow each other in order, be two parts in any order among other text, or be any number of whole texts in any order. */
export function spreadOver(texts: readonly string[], needles: readonly string[]): number[] {
  if (texts.filter((text) => text !== "").length < 2) return [];
  const inOrder = endToEnd(texts, needles);
  if (inOrder !== undefined) return inOrder;
  const spellings = texts.map((text) => spellingsOf(text));
  const distinct = [...new Set(spellings.flat())].filter((text) => text !== "");
  const joined = distinct.join("\n");
  for (const needle of needles) {
    const pieces = findTwoParts(needle, joined) ?? findWholes(needle, distinct);
    if (pieces === undefined) continue;
    return spellings.flatMap((ofText, index) =>
      ofText.some((text) => pieces.some((isPart) => isPart(text))) ? [index] : [],
    );
  }
  return [];
}

/** The locations of texts that spell a needle when joined. */
function endToEnd(texts: readonly string[], needles: readonly string[]): number[] | undefined {
  for (const { text, from, to } of viewsOf(texts.join("")))
    for (const needle of needles) {
      const index = text.indexOf(needle);
      if (index === -1) continue;
      const [first, last] = [from(index), to(index + needle.length - 1)];
      let begin = 0;
      return texts.flatMap(({ length }, place) => {
        const end = begin + length;
        const isPart = length > 0 && begin < last && end > first;
        begin = end;
        return isPart ? [place] : [];
      });
    }
  return undefined;
}

type IsPart = (text: string) => boolean;

/** The longest beginning and the longest end of a needle that occur anywhere, if they cover all of it. Each text with one of them counts, or with only the rest that the other leaves. */
function findTwoParts(needle: string, joined: string): IsPart[] | undefined {
  let first = minPiece - 1;
  while (first < needle.length && joined.includes(needle.slice(0, first + 1))) first += 1;
  if (first < minPiece) return undefined;
  let second = Math.max(minPiece, needle.length - first);
  if (!joined.includes(needle.slice(-second))) return undefined;
  while (second < needle.length && joined.includes(needle.slice(-second - 1))) second += 1;
  const [head, tail] = [needle.slice(0, first), needle.slice(-second)];
  return [
    (text) =>
      text.includes(head) ||
      text.includes(tail) ||
      text.includes(needle.slice(0, needle.length - second)) ||
      text.includes(needle.slice(first)),
  ];
}

/** Texts that together make up a needle. */
function findWholes(needle: string, texts: readonly string[]): IsPart[] | undefined {
  const parts = texts.filter((text) => text.length < needle.length && needle.includes(text));
  if (parts.length < 2 || parts.reduce((sum, { length }) => sum + length, 0) < needle.length) return undefined;
  const isReached = new Array<boolean>(needle.length + 1).fill(false);
  isReached[0] = true;
  for (let at = 0; at < needle.length; at++)
    for (const part of isReached[at] === true ? parts : [])
      if (needle.startsWith(part, at)) isReached[at + part.length] = true;
  return isReached[needle.length] === true ? [(text) => text !== "" && needle.includes(text)] : undefined;
}
