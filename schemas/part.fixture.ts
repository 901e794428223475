import { createHash } from "node:crypto";
import { basename } from "node:path";

/** Whether tests run all cases instead of a part; scripts/whole.ts sets it. */
export const isWhole: boolean = process.env.TOUCHSTONE_WHOLE !== undefined;

/**
 * The seed that chooses the parts: TOUCHSTONE_PART (in CI the digest of the vector set), TOUCHSTONE_SEED, or else the digest of the sources. Each change
 * of the sources tests other parts, and a failure can be repeated.
 */
const seed =
  process.env.TOUCHSTONE_PART ?? process.env.TOUCHSTONE_SEED ?? basename(process.env.TOUCHSTONE_BUILT ?? "1");

/** A part of the cases to test, and its description. */
export interface Part<Case> {
  cases: Case[];
  /** Such as `57 of 170, seed 9c63ab…`. */
  said: string;
}

/** The shard of the vectors that `npm test` sends over a slow transport; undefined for all vectors. */
export function shardOf(count: number): { index: number; count: number } | undefined {
  const digest = createHash("sha256").update(`${seed} ${count}`).digest();
  return isWhole ? undefined : { index: 1 + (digest.readUInt32BE() % count), count };
}

/** The number of draws in `npm test`, out of `count`: an eighth, the first of their seed. */
export function drawsOf(count: number): number {
  return isWhole ? count : Math.ceil(count / 8);
}

/** One of `count` parts of a slow matrix, at least one case; all of it if the whole is requested. `nameOf` is different for each case. */
export function partOf<Case>(all: readonly Case[], nameOf: (each: Case) => string, count = 15): Part<Case> {
  if (isWhole) return { cases: [...all], said: `all ${all.length}` };
  const hashes = new Map(
    all.map((each) => [
      each,
      createHash("sha256")
        .update(`${seed} ${nameOf(each)}`)
        .digest("hex"),
    ]),
  );
  const hashOf = (each: Case): string => hashes.get(each) ?? "";
  const first = [...all].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)).slice(0, Math.ceil(all.length / count));
  const chosen = new Set(first);
  return {
    cases: all.filter((each) => chosen.has(each)),
    said: `${first.length} of ${all.length}, seed ${seed}`,
  };
}
