import { equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { abbreviateValue, differenceIn } from "../../../base/text/difference.ts";

/**
 * A JSON Pointer to the first part of the expected value that is missing or different in the actual one; undefined if it is
 * complete. The actual value may contain additional members, such as defaults that a hub adds.
 */
export function findFirstMissing(actual: Json | undefined, expected: Json, path = ""): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return path;
    return firstDefined(expected.map((member, index) => findFirstMissing(actual[index], member, `${path}/${index}`)));
  }
  if (!isObject(expected)) return actual !== undefined && equal(actual, expected) ? undefined : path;
  if (!isObject(actual)) return path;
  return firstDefined(
    Object.entries(expected).map(([name, value]) => {
      // JSON omits undefined members.
      if (value === undefined) return undefined;
      const actualMember = Object.hasOwn(actual, name) ? actual[name] : undefined;
      return findFirstMissing(actualMember, value, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  );
}

/** Describes how the actual value at a path differs from the expected one. Shows only the differing part of long strings. */
export function describeChange(path: string | undefined, actual: Json | undefined, expected: Json): string {
  if (path === undefined) return "";
  const actualValue = actual === undefined ? undefined : pointer.at(path, actual);
  const expectedValue = pointer.at(path, expected);
  if (expectedValue === undefined) return `it was absent, and now it is ${abbreviateValue(actualValue ?? null)}`;
  return differenceIn(expectedValue, actualValue, "it") ?? "it is the same";
}

function firstDefined(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined);
}
