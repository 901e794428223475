import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { limits } from "./limits.ts";

const documents = ["tightening"];

const smallestLimitChecker: Checker = {
  rule: "AGF-CONS-003",
  documents,
  *check(tightening) {
    for (const { isGain, ...breach } of wrongLimits(tightening)) if (!isGain) yield breach;
  },
};

const escapeChecker: Checker = {
  rule: "AGF-CONS-005",
  documents,
  *check(tightening) {
    for (const { isGain, ...breach } of wrongLimits(tightening)) if (isGain) yield breach;
  },
};

/** Effective bounds that are not the smallest. A child may get more if it turns the invariant off, and its own bound is less strict than the inherited one. */
function* wrongLimits(tightening: Json): Iterable<Breach & { isGain: boolean }> {
  if (!isObject(tightening) || !isObject(pointer.at("/effective", tightening))) return;
  if (pointer.at("/parent/tighten_only_invariant", tightening) === false) return;
  const isOff = pointer.at("/child/tighten_only_invariant", tightening) === false;
  for (const limit of limits) {
    const number = (source: string): number => {
      const value = pointer.at(`/${source}${limit}`, tightening);
      return typeof value === "number" ? value : Number.POSITIVE_INFINITY;
    };
    const above = Math.min(number("parent"), number("governance"));
    const right = Math.min(above, number("child"));
    const effective = number("effective");
    // The specification does not say where depth begins, so a child may have less, or one more.
    const isDepth = limit.endsWith("depth");
    if (effective === right || (isDepth && effective < right)) continue;
    const why = `is ${showBound(effective)}, and the smallest bound is ${showBound(right)}`;
    const level = isDepth && right > 0 && effective === right + 1 ? ({ level: "MAY" } as const) : {};
    yield { at: placeOf(tightening, limit), why, isGain: isOff && effective > above, ...level };
  }
}

function placeOf(tightening: Json, limit: string): string {
  const at = `/effective${limit}`;
  return pointer.has(at, tightening) ? at : "/effective";
}

function showBound(limit: number): string {
  return limit === Number.POSITIVE_INFINITY ? "without bound" : `${limit}`;
}

/** The bounds of a child below its parent and under governance. */
export const tighteningCheckers: readonly Checker[] = [smallestLimitChecker, escapeChecker];
