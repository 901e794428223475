/**
 * Ranges of old characters: assigned, and in the same general category, from Unicode 10.0 (2017) to 17.0. For each range, the number of characters
 * skipped before it and the number after its first one, in base 36. Made from the `General_Category` of both versions.
 */
const table = `
  0 ic 1 69 2 5 4 6 1 0 1 j 1 b0 1 11 2 6 1 12 1 1 2 2 1 1i 8 q 5 4 b s 1 6n 1 1n 2 2s e 1m 5 19 2 e 1 r 2 0 1 a 1h
  k 1 7 m 4v 1 7 2 1 2 l 1 6 1 0 3 3 2 8 2 1 2 3 8 0 4 1 1 4 2 n 3 2 1 5 4 1 2 l 1 6 1 1 1 1 1 1 2 0 1 4 4 1 2 2 3 0
  7 3 1 0 7 f b 2 1 8 1 2 1 l 1 6 1 1 1 4 2 9 1 2 1 2 2 0 f 3 2 b 7 6 1 2 1 7 2 1 2 l 1 6 1 1 1 4 2 8 2 1 2 2 8 1 4
  1 1 4 2 h a 1 1 5 3 2 1 3 3 1 1 0 1 1 3 1 3 2 3 b 4 4 3 2 1 3 2 0 6 0 e k 5 3 1 7 1 2 1 m 1 f 3 7 1 2 1 3 7 1 1 2
  5 3 2 9 8 b 1 7 1 2 1 m 1 9 1 4 2 8 1 2 1 3 7 1 7 0 1 3 2 9 1 1 d 3 1 7 1 2 1 1e 1 2 1 5 4 f 2 p 2 1 1 h 3 n 1 8 1
  0 2 6 3 0 4 5 1 0 1 7 6 9 2 2 c 1l 4 s 11 1 1 0 2 1 1 0 2 0 6 3 1 6 1 2 1 0 1 0 2 1 1 c 1 2 2 4 1 0 1 5 2 9 2 3 w
  1z 1 z 4 12 1 z 1 e 1 c 11 5h 1 0 5 0 19 1 3 94 1 3 2 6 1 0 1 3 2 14 1 3 2 w 1 3 2 6 1 0 1 3 2 e 1 1k 1 3 2 1u 2 v
  3 p 6 2d 2 5 2 h8 1 1a 3 2g 7 c 1 6 b j 1 1 9 j c c 1 2 1 1 c 2l 2 9 6 9 6 e 1 9 6 2f 8 16 5 1x a u 1 b 4 b 4 0 3
  15 2 4 b 17 4 p 6 a 3 1p 2 1s 1 s 2 a 6 9 6 d 2 e 1t 23 4 18 3 37 8 1n 3 e 3 1n 1j 7 8 x 2 5 6 6x 1 7u 2 5 2 11 2
  5 2 7 1 0 1 0 1 0 1 u 2 1g 1 e 1 d 2 5 1 i 2 2 1 8 1 2s 1 b 2 q 1 c 3 v g w f 3v 4 ie p a l 1eb 2 v 2 x 3 b 1 8 p
  3 g 1a 1 1a 1 43 5 18 1 0 5 0 2 1j 7 1 e n 9 6 1 6 1 6 1 6 1 6 1 6 1 6 1 6 1 2x 1i p 1 2g c 5x q b 4 1r 1 2d 2 2u
  5 15 2 2l 1 16 5 z c 1a 1 66 1 59x a g8a l wc 3 1i 9 9n k 53 8 4u 1 7 1r 1g 4 9 6 1j 8 1x 8 b 6 t 2 2b b t 3 1o 1
  f 1 a 4 w 1 1i 9 d 2 9 2 2u o r a 5 2 5 2 5 9 6 1 6 1 1h a 3h 2 9 6 8mb c m 4 1c 1l0 57x 2 2x 12 6 c 4 5 p 1 4 1 0
  1 1 1 1 1 3f h a4 g 1r 2 1h 14 d 2 p 6 1e 1 i 1 3 4 4 1 3q 2 0 1 59 3 5 2 5 2 5 2 2 3 6 1 6 a 4 2 b 1 p 1 i 1 1 1
  e 2 d y 3e 5 2 4 18 3 2f 1 b 4 0 1b 19 3m s 3 1c f r 4 z 9 t 5 16 5 t 1 10 4 d 16 4d 2 9 6 z 4 z 4 13 8 1f b 0 40
  8m 9 l a 7 48 5 2 0 1 17 1 1 3 0 2 m 1 1z 8 8 1c i 1 1 5 w 3 q 5 0 1s 1j 4 j 2 1d 1 1 5 7 1 2 1 q 4 2 4 8 8 8 7 1r
  w 12 4 b 9 1h 3 s 2 q 5 p 7 3 c 6 28 20 1j 1e d 1e 7 5 9s u ap 25 4 t f 1u e o 7 9 6 1g 1 d c 12 9 20 1 3 2 f 1 j
  b h 1 17 1t 6 1 0 1 3 1 e 1 a 6 1m 5 9 6 3 1 7 2 1 2 l 1 6 1 1 1 4 2 8 2 1 2 2 2 0 6 0 5 6 2 6 3 4 3v 2h 1 0 1 0 y
  1z 8 9 4m 1h 2 11 y 1w b 9 6 c j 1j 8 9 1i p 3 0 1 c 4 f 9s 2a c 0 74 6 2 1q 8 1f 2 m 1 4 t 1k 7b 8 1 18 1 d a s 3
  v 2 l 1 d 21 6 1 1 1 17 3 0 1 1 1 8 8 9 iu pl 2u 32 1 4 b 5f 24c tq 34h g6 6nt fs 7 u 1 9 4 1 2o t 2 5 a 1x a 9 1
  6 1 k 5 i og 1w b 1a g g 1s 1 u 4q4 j ky 7bh 7y 29 az 1s4 2y 5 c 3 8 7 9 2 7 3to 6t a 12 2 5b n 1x 56 2e 9 h 3y 2c
  1 1y 1 1 2 0 2 1 2 3 1 b 1 0 1 6 1 1s 1 3 2 7 1 6 1 r 1 3 1 4 1 0 3 6 1 9f 2 83 2 jh f 4 1 e 11s 6 1 g 2 6 1 1 1 4
  1jp 5g 2 f 15 22 5 9 4 1 ww 3 1 q 1 1 1 0 2 0 1 9 1 3 1 0 1 0 6 0 4 0 1 0 1 0 1 2 1 1 1 0 2 0 1 0 1 0 1 0 1 0 1 1
  1 0 2 3 1 6 1 3 1 3 1 0 1 9 1 g 5 2 1 4 1 g 1g 1 7i 17 4 2r c e 2 e 1 e 1 10 a c 3 u 1 1n 4 1o 1l s d 17 4 8 7 1 e
  5 4a r8 b c 3 8 7 37 c 2c 17 b 4 1j 8 9 6 13 8 t 2a b 4 1a 1 c 3 r k n 14 0 f m 17d wye 15 378 b 65 2 4g1 e 5rk
  2e7 f1 fher 0 u 2n 3k 6n 1e6o 1ekd 2 1ekd
`;

const ranges: { first: number; last: number; before: number }[] = [];
// Used only while the table is read, when the module loads.
let [next, total] = [0, 0];
for (const [, gap = "", more = ""] of table.matchAll(/(\w+)\s+(\w+)/g)) {
  const first = next + Number.parseInt(gap, 36);
  const last = first + Number.parseInt(more, 36);
  ranges.push({ first, last, before: total });
  total += last - first + 1;
  next = last + 1;
}

/** Finds the last range that meets a condition which no later range meets; the first if no range meets it. */
function findLastRange(holds: (range: { first: number; before: number }) => boolean): (typeof ranges)[number] {
  let [low, high] = [0, ranges.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(ranges[middle] as (typeof ranges)[number])) low = middle;
    else high = middle - 1;
  }
  return ranges[low] as (typeof ranges)[number];
}

/** How many old characters come before a code point. */
export function oldBefore(code: number): number {
  const { first, last, before } = findLastRange((range) => range.first < code);
  return before + Math.max(0, Math.min(code, last + 1) - first);
}

/** Returns the old character at this index. */
export function oldAt(index: number): number {
  const { first, before } = findLastRange((range) => range.before <= index);
  return first + index - before;
}

export function isOld(code: number): boolean {
  return code < 0x250 || oldBefore(code + 1) > oldBefore(code);
}

/** Whether a string contains a character that older Unicode tables lack. */
export function hasNewCharacter(text: string): boolean {
  return /[^\0-\u024f]/.test(text) && [...text].some((character) => !isOld(character.codePointAt(0) as number));
}
