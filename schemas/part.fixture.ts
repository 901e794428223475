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

/** The number of random draws in `npm test`, out of `count`: the first eighth. */
export function drawsOf(count: number): number {
  return isWhole ? count : Math.ceil(count / 8);
}

/** Returns one of `count` parts of a slow matrix, with at least one case; all cases if `isWhole`. `nameOf` must differ for each case. */
export function partOf<Case>(allCases: readonly Case[], nameOf: (oneCase: Case) => string, count = 15): Part<Case> {
  if (isWhole) return { cases: [...allCases], said: `all ${allCases.length}` };
  const hashes = new Map(
    allCases.map((oneCase) => [
      oneCase,
      createHash("sha256")
        .update(`${seed} ${nameOf(oneCase)}`)
        .digest("hex"),
    ]),
  );
  const hashOf = (oneCase: Case): string => hashes.get(oneCase) ?? "";
  const chosenCases = [...allCases]
    .sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
    .slice(0, Math.ceil(allCases.length / count));
  const chosenSet = new Set(chosenCases);
  return {
    cases: allCases.filter((oneCase) => chosenSet.has(oneCase)),
    said: `${chosenCases.length} of ${allCases.length}, seed ${seed}`,
  };
}
