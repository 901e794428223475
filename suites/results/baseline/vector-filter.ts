import { createHash } from "node:crypto";

/** The number of bits for each id: with it, about 8 of 1,000 absent ids count as present. */
const bitsPerId = 10;
const hashCount = 7;

/** Makes a Bloom filter of some ids, in base64: small enough for a list under version control. */
export function filterOf(ids: readonly string[]): string {
  const bytes = Buffer.alloc(Math.ceil((ids.length * bitsPerId) / 8));
  for (const id of ids)
    for (const bit of bitsOf(id, bytes.length * 8)) bytes[bit >> 3] = byteWithBit(bytes, bit) | (1 << (bit & 7));
  return bytes.toString("base64");
}

/** Returns a test for the ids of a filter. It never denies an id of the filter, but may accept a few others. */
export function matcherOf(filter: string): (id: string) => boolean {
  const bytes = Buffer.from(filter, "base64");
  return (id) =>
    bytes.length > 0 && bitsOf(id, bytes.length * 8).every((bit) => (byteWithBit(bytes, bit) & (1 << (bit & 7))) !== 0);
}

function byteWithBit(bytes: Buffer, bit: number): number {
  return bytes[bit >> 3] as number;
}

/** Kirsch and Mitzenmacher, "Less Hashing, Same Performance": all hashes are derived from two. */
function bitsOf(id: string, size: number): number[] {
  const digest = createHash("sha256").update(id).digest();
  const [firstHash, secondHash] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  return Array.from({ length: hashCount }, (_, round) => (firstHash + round * secondHash) % size);
}
