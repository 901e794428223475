import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { abbreviateValue, differenceIn } from "../../../base/text/difference.ts";

/**
 * A JSON Pointer to the first place of the sent message that the shown one lacks; undefined if it is complete. Values
 * that the hub adds to a confirm without options, or as its defaults, may be present.
 */
export function firstMissing(actual: Json | undefined, expected: Json, path = ""): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return path;
    return firstOf(expected.map((member, index) => firstMissing(actual[index], member, `${path}/${index}`)));
  }
  if (!isObject(expected)) return actual !== undefined && equal(actual, expected) ? undefined : path;
  if (!isObject(actual)) return path;
  return firstOf(
    Object.entries(expected).map(([name, value]) => {
      // An undefined member is not sent.
      if (value === undefined) return undefined;
      const actualMember = Object.hasOwn(actual, name) ? actual[name] : undefined;
      return firstMissing(actualMember, value, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  );
}

/** The shown value at a place, beside the sent value; for long texts the part that differs. */
export function describeChange(place: string | undefined, actual: Json | undefined, expected: Json): string {
  if (place === undefined) return "";
  const actualValue = actual === undefined ? undefined : pointer.at(place, actual);
  const expectedValue = pointer.at(place, expected);
  if (expectedValue === undefined) return `it was absent, and now it is ${abbreviateValue(actualValue ?? null)}`;
  return differenceIn(expectedValue, actualValue, "it") ?? "it is the same";
}

function firstOf(places: readonly (string | undefined)[]): string | undefined {
  return places.find((place) => place !== undefined);
}
