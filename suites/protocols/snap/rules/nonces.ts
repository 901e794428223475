import { schnorr } from "@noble/curves/secp256k1.js";

type Point = InstanceType<typeof schnorr.Point>;

/** A number and its multiple of the base point. */
export interface Nonce {
  number: bigint;
  point: Point;
}

/** Tables of as many nonces as a byte has values, each 2^16 times the one before. */
const tables = 3;
// Made once, when they are first needed: the tables are large.
let knownNonces: Nonce[][] | undefined;

/**
 * One of 2^24 nonces, which a digest decides: the sum of one from each table, so that its point needs two additions instead of a multiplication.
 * A signer with a public test key does not need an unguessable one.
 */
export function cheapNonce(digest: Uint8Array): Nonce {
  knownNonces ??= Array.from({ length: tables }, (_, at) => multiplesOf(1n << BigInt(16 * at)));
  const parts = knownNonces.map((table, at) => table[digest[at] as number] as Nonce);
  return parts.reduce((all, each) => ({ number: all.number + each.number, point: all.point.add(each.point) }));
}

/** From the first multiple to the 256th: none is zero, and no sum of three is another one's. */
function multiplesOf(number: bigint): Nonce[] {
  const first = { number, point: schnorr.Point.BASE.multiplyUnsafe(number) };
  const all = [first];
  for (let last = first; all.length < 256; all.push(last))
    last = { number: last.number + number, point: last.point.add(first.point) };
  return all;
}
