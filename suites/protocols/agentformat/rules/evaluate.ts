import { guardPattern } from "../../../../generators/index.ts";
import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { groupsOf, testsOf } from "./conditions.ts";

/**
 * How to decide a test if the argument is missing, or has a type that the operator does not compare. `advised`: as AGF-MATCH-008
 * advises. `none`: undecided. `unasked`: undecided, as is a literal of another type, which may be a reason to ask for consent.
 */
export type TestGap = "advised" | "none" | "unasked";

/** Whether the condition at a JSON Pointer matches arguments; undefined if the specification does not decide it. */
export function conditionHolds(root: Json, at: string, args: Json, gap: TestGap): boolean | undefined {
  const groups = groupsOf(root, at);
  if (groups.length === 0) return undefined;
  return combineAny(
    groups.map((group) =>
      combineAll(testsOf(root, group.at).map(({ name, value }) => testHolds(value, argumentNamed(args, name), gap))),
    ),
  );
}

function argumentNamed(args: Json, name: string): Json | undefined {
  return pointer.at(pointer.append("", name), args);
}

function testHolds(test: Json, value: Json | undefined, gap: TestGap): boolean | undefined {
  if (!isObject(test)) {
    const isGap = value === undefined || (gap === "unasked" && typeof value !== typeof test);
    return isGap ? fillGap(gap, false) : equal(test, value);
  }
  const operators = Object.entries(test);
  if (operators.length === 0) return undefined;
  return combineAll(operators.map(([name, operand]) => operatorHolds(name, operand, value, gap)));
}

function operatorHolds(name: string, operand: Json, value: Json | undefined, gap: TestGap): boolean | undefined {
  const compare = comparisons[name];
  if (compare !== undefined) {
    if (typeof operand !== "number") return undefined;
    return typeof value === "number" ? compare(value, operand) : fillGap(gap, false);
  }
  if (name === "pattern") return typeof value === "string" ? matches(operand, value) : fillGap(gap, false);
  const candidates = name === "ne" ? [operand] : operand;
  if (!["ne", "in", "not_in"].includes(name) || !Array.isArray(candidates)) return undefined;
  const isMembership = name === "in";
  // No operator compares a list or an object.
  const isGap = value === undefined || (typeof value === "object" && value !== null);
  return isGap ? fillGap(gap, !isMembership) : candidates.some((candidate) => equal(candidate, value)) === isMembership;
}

const comparisons: Readonly<Record<string, (value: number, operand: number) => boolean>> = {
  gt: (value, operand) => value > operand,
  gte: (value, operand) => value >= operand,
  lt: (value, operand) => value < operand,
  lte: (value, operand) => value <= operand,
};

const maxLength = 1000;

/** The specification does not say whether a search or a full match is meant, so this decides only if both agree. */
function matches(pattern: Json, text: string): boolean | undefined {
  if (typeof pattern !== "string" || Math.max(pattern.length, text.length) > maxLength) return undefined;
  const isPrintableAscii = /^[ -~]*$/.test(text);
  if (!isPrintableAscii) return undefined;
  try {
    const [search, fullMatch] = [pattern, `^(?:${pattern})$`].map((source) =>
      guardPattern(new RegExp(source, "u"), "throw"),
    );
    const isFound = search?.test(text);
    return isFound === fullMatch?.test(text) ? isFound : undefined;
  } catch {
    return undefined;
  }
}

function fillGap(gap: TestGap, advised: boolean): boolean | undefined {
  return gap === "advised" ? advised : undefined;
}

function combineAll(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function combineAny(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}
