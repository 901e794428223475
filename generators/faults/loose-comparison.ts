import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";

/** The value that a loose comparison treats as equal to a scalar; undefined if there is none. */
type Loose = (scalar: Json) => Json | undefined;

const ofBooleans: Loose = (scalar) => {
  if (typeof scalar === "boolean") return scalar ? 1 : 0;
  return scalar === 1 || scalar === 0 ? scalar === 1 : undefined;
};

const ofTexts: Loose = (scalar) => {
  if (typeof scalar === "number") return String(scalar);
  return typeof scalar === "string" && String(Number(scalar)) === scalar && scalar !== "NaN"
    ? Number(scalar)
    : undefined;
};

/** How a language compares loosely, and the values that it treats as equal to a value, with one scalar in it replaced. */
export const looseComparisons: readonly [says: string, equals: (value: Json) => Json[]][] = [
  ["true is the same as 1, and false as 0", (value) => [...exchangePart(value, value, "", ofBooleans)]],
  ["a number is the same as its text", (value) => [...exchangePart(value, value, "", ofTexts)]],
];

function* exchangePart(whole: Json, part: Json, at: string, loose: Loose): Generator<Json> {
  const other = loose(part);
  const result = other === undefined ? undefined : applyChanges(whole, [{ op: "replace", path: at, value: other }]);
  if (result !== undefined) yield result;
  if (isObject(part) || Array.isArray(part))
    for (const [name, inner] of Object.entries(part))
      yield* exchangePart(whole, inner as Json, pointer.append(at, name), loose);
}
