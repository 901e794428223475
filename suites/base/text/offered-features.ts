import { equal, type Json, pointer, type Rule, type Skip, type ValueConditions } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** A value at a path without stars, and that path. */
export interface LocatedValue {
  at: string;
  value: Json | undefined;
}

/** Describes the first condition that a JSON value does not meet; undefined if it meets all. A star in a path means each item, and at least one item is required. `text` is the value as received. */
export function findUnmetCondition(
  { equal: equalValues = {}, differs = {}, matches = {}, present = [], absent = [], includes = {} }: ValueConditions,
  json: Json | undefined,
  text: string,
): string | undefined {
  const problems = [
    ...Object.entries(equalValues).map(([path, value]) =>
      firstProblemAt(path, json, (actual) =>
        actual !== undefined && equal(actual, value) ? undefined : `is ${showValue(actual)}, not ${showValue(value)}`,
      ),
    ),
    ...Object.entries(differs).map(([path, value]) =>
      firstProblemAt(path, json, (actual) =>
        actual !== undefined && equal(actual, value) ? `is ${showValue(value)}` : undefined,
      ),
    ),
    ...Object.entries(matches).map(([path, pattern]) =>
      firstProblemAt(path, json, (actual) =>
        typeof actual === "string" && new RegExp(pattern, "u").test(actual)
          ? undefined
          : `is ${showValue(actual)}, which does not match ${pattern}`,
      ),
    ),
    ...present.map((path) => {
      const missing = valuesAt(path, json).find(({ value }) => value === undefined);
      const isEmpty = valuesAt(path, json).length === 0;
      return missing || isEmpty ? `there is nothing at "${missing?.at ?? path}": ${quote(text)}` : undefined;
    }),
    ...absent.map((path) => {
      const presentValue = valuesAt(path, json).find(({ value }) => value !== undefined);
      return presentValue && `"${presentValue.at}" is there: ${showValue(presentValue.value)}`;
    }),
    ...Object.entries(includes).map(([path, value]) => missingItem(path, json, value)),
  ];
  return problems.find((problem) => problem !== undefined);
}

/** Finds the values at a path. Without a star there is exactly one, which may be absent. In an object with a member `*`, a star means that member. */
export function valuesAt(path: string, json: Json | undefined): LocatedValue[] {
  let locatedValues: LocatedValue[] = [{ at: "", value: json }];
  for (const segment of pointer.segments(path))
    locatedValues = locatedValues.flatMap(({ at, value }) => {
      const memberAt = (name: string | number): LocatedValue => {
        const step = pointer.append("", name);
        return { at: `${at}${step}`, value: value === undefined ? undefined : pointer.at(step, value) };
      };
      const isStar = segment === "*" && typeof value === "object" && value !== null && !Object.hasOwn(value, "*");
      return isStar ? Object.keys(value).map(memberAt) : [memberAt(segment)];
    });
  return locatedValues;
}

/** Describes the first wrong value at a path, or the lack of any value. */
function firstProblemAt(
  path: string,
  json: Json | undefined,
  findProblem: (value: Json | undefined) => string | undefined,
): string | undefined {
  const spots = valuesAt(path, json);
  if (spots.length === 0) return findProblem(undefined) && `"${path}" ${findProblem(undefined)}`;
  for (const { at, value } of spots) {
    const problem = findProblem(value);
    if (problem !== undefined) return `"${at}" ${problem}`;
  }
  return undefined;
}

/** Describes a list that lacks a value: the list at the path, or all values at a path with a star. */
function missingItem(path: string, json: Json | undefined, value: Json): string | undefined {
  const isStarred = pointer.segments(path).includes("*");
  const [first, ...others] = valuesAt(path, json).map((spot) => spot.value);
  const list = isStarred ? [first, ...others] : first;
  if (Array.isArray(list) && list.some((item) => item !== undefined && equal(item, value))) return undefined;
  const shownItems = isStarred ? showValue([first, ...others].filter((item) => item !== undefined)) : showValue(first);
  return `"${path}" is ${shownItems}, which does not include ${showValue(value)}`;
}

function showValue(value: Json | undefined): string {
  return value === undefined ? "nothing" : quote(JSON.stringify(value));
}

/** Returns the names of the documents that decide whether a rule applies. */
export function documentsOf({ when = {}, unless = {} }: Pick<Rule, "when" | "unless">): string[] {
  return [...new Set([...Object.keys(when), ...Object.keys(unless)])];
}

/** Returns a skip if a test does not apply according to the documents that the target publishes about itself. */
export function skipUnoffered(
  { when = {}, unless = {} }: Pick<Rule, "when" | "unless">,
  published: ReadonlyMap<string, Json | undefined>,
): Skip | undefined {
  for (const [document, conditions] of Object.entries(when)) {
    const json = published.get(document);
    const unmetCondition = findUnmetCondition(conditions, json, JSON.stringify(json) ?? "");
    if (unmetCondition === undefined) continue;
    return {
      why:
        json === undefined
          ? `is about a feature, and the target publishes no ${document} that offers it`
          : `is about a feature that the target's ${document} does not offer: ${unmetCondition}`,
      cause: { kind: "not-offered", document },
    };
  }
  for (const [document, conditions] of Object.entries(unless)) {
    const json = published.get(document);
    if (json === undefined || findUnmetCondition(conditions, json, "") !== undefined) continue;
    return {
      why: `is not asked of a target whose ${document} says this: ${JSON.stringify(conditions)}`,
      cause: { kind: "not-offered", document },
    };
  }
  return undefined;
}
