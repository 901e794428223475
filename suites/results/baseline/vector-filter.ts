import { createHash } from "node:crypto";

/** About 8 of 1,000 absent ids count as present. */
const bitsForEach = 10;
const hashes = 7;

/** A Bloom filter of some ids, base64: small enough for a list that is kept under version control. */
export function filterOf(ids: readonly string[]): string {
  const bytes = Buffer.alloc(Math.ceil((ids.length * bitsForEach) / 8));
  for (const id of ids)
    for (const bit of bitsOf(id, bytes.length * 8)) bytes[bit >> 3] = bitAt(bytes, bit) | (1 << (bit & 7));
  return bytes.toString("base64");
}

/** Whether a filter was made of an id among others: never wrong if it says no. */
export function matcherOf(filter: string): (id: string) => boolean {
  const bytes = Buffer.from(filter, "base64");
  return (id) =>
    bytes.length > 0 && bitsOf(id, bytes.length * 8).every((bit) => (bitAt(bytes, bit) & (1 << (bit & 7))) !== 0);
}

function bitAt(bytes: Buffer, bit: number): number {
  return bytes[bit >> 3] as number;
}

/** Kirsch and Mitzenmacher, "Less Hashing, Same Performance": two hashes make all the others. */
function bitsOf(id: string, size: number): number[] {
  const digest = createHash("sha256").update(id).digest();
  const [one, two] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  return Array.from({ length: hashes }, (_, turn) => (one + turn * two) % size);
}
