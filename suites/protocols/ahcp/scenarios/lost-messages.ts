import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { abbreviateValue, differenceIn } from "../../../base/text/difference.ts";

/**
 * A JSON Pointer to the first place of the sent message that the shown one lacks; undefined if it is complete. Values
 * that the hub adds to a confirm without options, or as its defaults, may be present.
 */
export function firstMissing(actual: Json | undefined, expected: Json, at = ""): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return at;
    return first(expected.map((each, index) => firstMissing(actual[index], each, `${at}/${index}`)));
  }
  if (!isObject(expected)) return actual !== undefined && equal(actual, expected) ? undefined : at;
  if (!isObject(actual)) return at;
  return first(
    Object.entries(expected).map(([name, value]) => {
      // An undefined member is not sent.
      if (value === undefined) return undefined;
      const actualMember = Object.hasOwn(actual, name) ? actual[name] : undefined;
      return firstMissing(actualMember, value, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  );
}

/** The shown value at a place, beside the sent value; for long texts the part that differs. */
export function describeChange(place: string | undefined, actual: Json | undefined, expected: Json): string {
  if (place === undefined) return "";
  const now = actual === undefined ? undefined : pointer.at(place, actual);
  const expectedValue = pointer.at(place, expected);
  if (expectedValue === undefined) return `it was absent, and now it is ${abbreviateValue(now ?? null)}`;
  return differenceIn(expectedValue, now, "it") ?? "it is the same";
}

function first(places: readonly (string | undefined)[]): string | undefined {
  return places.find((place) => place !== undefined);
}
