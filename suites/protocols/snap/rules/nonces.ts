import { schnorr } from "@noble/curves/secp256k1.js";

type Point = InstanceType<typeof schnorr.Point>;

/** A number and its multiple of the base point. */
export interface Nonce {
  number: bigint;
  point: Point;
}

/** The number of tables. Each has 256 nonces, 2^16 times as large as in the table before. */
const tableCount = 3;
// Created on first use, because the tables are large.
let nonceTables: Nonce[][] | undefined;

/**
 * Returns one of 2^24 nonces, chosen by a digest: the sum of one nonce from each table, so that its point needs two additions and no multiplication.
 * The nonce is predictable, so it is only for keys that are public anyway.
 */
export function cheapNonce(digest: Uint8Array): Nonce {
  nonceTables ??= Array.from({ length: tableCount }, (_, index) => multiplesOf(1n << BigInt(16 * index)));
  const parts = nonceTables.map((table, index) => table[digest[index] as number] as Nonce);
  return parts.reduce((sum, part) => ({ number: sum.number + part.number, point: sum.point.add(part.point) }));
}

/** Computes the first 256 multiples of a number. None is zero, and the sums of one multiple from each table all differ. */
function multiplesOf(number: bigint): Nonce[] {
  const first = { number, point: schnorr.Point.BASE.multiplyUnsafe(number) };
  const multiples = [first];
  for (let last = first; multiples.length < 256; multiples.push(last))
    last = { number: last.number + number, point: last.point.add(first.point) };
  return multiples;
}
