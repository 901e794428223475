/** A source of random bits. The same source in the same state gives the same values, on every machine. */
export interface Random {
  /** The next 32 bits as an integer, signed or not. */
  next(): number;
}

/** Creates a generator (sfc32 by Chris Doty-Humphrey) that a seed of up to 32 bits determines. */
export function randomFrom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  };
  for (let round = 0; round < 15; round += 1) next();
  return { next };
}

const scale = 2 ** -32;

/** Draws an integer from 0 up to but not including `count`. */
export function drawBelow(random: Random, count: number): number {
  return Math.floor((random.next() >>> 0) * scale * count);
}

/** Draws a number from 0 up to but not including 1, with all 53 bits. */
export function drawUnit(random: Random): number {
  return ((random.next() >>> 5) * 67_108_864 + (random.next() >>> 6)) / 9_007_199_254_740_992;
}

/** Draws one of the entries. */
export function pick<T>(random: Random, entries: readonly T[]): T {
  return entries[drawBelow(random, entries.length)] as T;
}

/** True in one of `times` draws. */
export function chanceOf(random: Random, times: number): boolean {
  return drawBelow(random, times) === 0;
}
