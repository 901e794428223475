import { schnorr } from "@noble/curves/secp256k1.js";

type Point = InstanceType<typeof schnorr.Point>;

/** A number and its multiple of the base point. */
export interface Nonce {
  number: bigint;
  point: Point;
}

/** The number of tables, each with 256 nonces, 2^16 times those of the table before. */
const tables = 3;
// Made once, on first use: the tables are large.
let knownNonces: Nonce[][] | undefined;

/**
 * One of 2^24 nonces, chosen by a digest: the sum of one from each table, so that its point needs two additions instead of a multiplication.
 * A signer with a public test key needs no unpredictable nonce.
 */
export function cheapNonce(digest: Uint8Array): Nonce {
  knownNonces ??= Array.from({ length: tables }, (_, index) => multiplesOf(1n << BigInt(16 * index)));
  const parts = knownNonces.map((table, index) => table[digest[index] as number] as Nonce);
  return parts.reduce((all, part) => ({ number: all.number + part.number, point: all.point.add(part.point) }));
}

/** The multiples from the first to the 256th: none is zero, and no two sums of three are equal. */
function multiplesOf(number: bigint): Nonce[] {
  const first = { number, point: schnorr.Point.BASE.multiplyUnsafe(number) };
  const all = [first];
  for (let last = first; all.length < 256; all.push(last))
    last = { number: last.number + number, point: last.point.add(first.point) };
  return all;
}
