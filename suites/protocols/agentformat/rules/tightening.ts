import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { limitPaths } from "./limits.ts";

const documents = ["tightening"];

const smallestLimitChecker: Checker = {
  rule: "AGF-CONS-003",
  documents,
  *check(tightening) {
    for (const { isLooser, ...breach } of findWrongLimits(tightening)) if (!isLooser) yield breach;
  },
};

const escapeChecker: Checker = {
  rule: "AGF-CONS-005",
  documents,
  *check(tightening) {
    for (const { isLooser, ...breach } of findWrongLimits(tightening)) if (isLooser) yield breach;
  },
};

/** Effective limits that are not the smallest of their sources. `isLooser`: the child turned the invariant off and exceeds the inherited limit. */
function* findWrongLimits(tightening: Json): Iterable<Breach & { isLooser: boolean }> {
  if (!isObject(tightening) || !isObject(pointer.at("/effective", tightening))) return;
  if (pointer.at("/parent/tighten_only_invariant", tightening) === false) return;
  const isOff = pointer.at("/child/tighten_only_invariant", tightening) === false;
  for (const limit of limitPaths) {
    const limitOf = (source: string): number => {
      const value = pointer.at(`/${source}${limit}`, tightening);
      return typeof value === "number" ? value : Number.POSITIVE_INFINITY;
    };
    const inheritedLimit = Math.min(limitOf("parent"), limitOf("governance"));
    const expected = Math.min(inheritedLimit, limitOf("child"));
    const effective = limitOf("effective");
    // The specification does not say where counting depth begins, so a child may have a smaller limit, or one more.
    const isDepth = limit.endsWith("depth");
    if (effective === expected || (isDepth && effective < expected)) continue;
    const why = `is ${formatLimit(effective)}, but the smallest limit is ${formatLimit(expected)}`;
    const level = isDepth && expected > 0 && effective === expected + 1 ? ({ level: "MAY" } as const) : {};
    yield { at: placeOf(tightening, limit), why, isLooser: isOff && effective > inheritedLimit, ...level };
  }
}

function placeOf(tightening: Json, limit: string): string {
  const at = `/effective${limit}`;
  return pointer.has(at, tightening) ? at : "/effective";
}

function formatLimit(limit: number): string {
  return limit === Number.POSITIVE_INFINITY ? "unlimited" : `${limit}`;
}

/** Checks the limits of a child against its parent's and the governance policies'. */
export const tighteningCheckers: readonly Checker[] = [smallestLimitChecker, escapeChecker];
