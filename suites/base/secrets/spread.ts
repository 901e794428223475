import { spellingsOf, viewsOf } from "./decoded-view.ts";

/** The length of the shortest part of a secret that counts if two parts occur within other text. */
const minPiece = 3;

/** Returns the indexes of the texts that together spell one of the needles; empty if none do. The texts may spell it in order; or two parts of it may occur within other text; or whole texts may spell it in any order. */
export function findSpread(texts: readonly string[], needles: readonly string[]): number[] {
  if (texts.filter((text) => text !== "").length < 2) return [];
  const inOrder = findInOrder(texts, needles);
  if (inOrder !== undefined) return inOrder;
  const spellings = texts.map((text) => spellingsOf(text));
  const distinct = [...new Set(spellings.flat())].filter((text) => text !== "");
  const joined = distinct.join("\n");
  for (const needle of needles) {
    const pieces = findTwoParts(needle, joined) ?? findWholeTexts(needle, distinct);
    if (pieces === undefined) continue;
    return spellings.flatMap((textSpellings, index) =>
      textSpellings.some((text) => pieces.some((isPart) => isPart(text))) ? [index] : [],
    );
  }
  return [];
}

/** Returns the indexes of texts that spell a needle when joined in order. */
function findInOrder(texts: readonly string[], needles: readonly string[]): number[] | undefined {
  for (const { text, from, to } of viewsOf(texts.join("")))
    for (const needle of needles) {
      const index = text.indexOf(needle);
      if (index === -1) continue;
      const [first, last] = [from(index), to(index + needle.length - 1)];
      let begin = 0;
      return texts.flatMap(({ length }, index) => {
        const end = begin + length;
        const isPart = length > 0 && begin < last && end > first;
        begin = end;
        return isPart ? [index] : [];
      });
    }
  return undefined;
}

type IsPart = (text: string) => boolean;

/** Finds the longest prefix and the longest suffix of a needle that occur in the texts, if together they cover the needle. A text is a part if it contains one of them, or the remainder beside the other. */
function findTwoParts(needle: string, joined: string): IsPart[] | undefined {
  let prefixLength = minPiece - 1;
  while (prefixLength < needle.length && joined.includes(needle.slice(0, prefixLength + 1))) prefixLength += 1;
  if (prefixLength < minPiece) return undefined;
  let suffixLength = Math.max(minPiece, needle.length - prefixLength);
  if (!joined.includes(needle.slice(-suffixLength))) return undefined;
  while (suffixLength < needle.length && joined.includes(needle.slice(-suffixLength - 1))) suffixLength += 1;
  const [head, tail] = [needle.slice(0, prefixLength), needle.slice(-suffixLength)];
  return [
    (text) =>
      text.includes(head) ||
      text.includes(tail) ||
      text.includes(needle.slice(0, needle.length - suffixLength)) ||
      text.includes(needle.slice(prefixLength)),
  ];
}

/** Finds texts that spell a needle in some order, possibly repeated. */
function findWholeTexts(needle: string, texts: readonly string[]): IsPart[] | undefined {
  const parts = texts.filter((text) => text.length < needle.length && needle.includes(text));
  if (parts.length < 2 || parts.reduce((sum, { length }) => sum + length, 0) < needle.length) return undefined;
  const isReached = new Array<boolean>(needle.length + 1).fill(false);
  isReached[0] = true;
  for (let at = 0; at < needle.length; at++)
    for (const part of isReached[at] === true ? parts : [])
      if (needle.startsWith(part, at)) isReached[at + part.length] = true;
  return isReached[needle.length] === true ? [(text) => text !== "" && needle.includes(text)] : undefined;
}
