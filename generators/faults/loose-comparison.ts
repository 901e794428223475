import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";

/** The value that a loose comparison treats as equal to a scalar; undefined if there is none. */
type LooseEqual = (scalar: Json) => Json | undefined;

const swapBoolean: LooseEqual = (scalar) => {
  if (typeof scalar === "boolean") return scalar ? 1 : 0;
  return scalar === 1 || scalar === 0 ? scalar === 1 : undefined;
};

const swapNumberText: LooseEqual = (scalar) => {
  if (typeof scalar === "number") return String(scalar);
  return typeof scalar === "string" && String(Number(scalar)) === scalar && scalar !== "NaN"
    ? Number(scalar)
    : undefined;
};

/** The loose comparisons of some languages. `equals` returns copies of a value that compare as equal, each with one scalar replaced. */
export const looseComparisons: readonly [says: string, equals: (value: Json) => Json[]][] = [
  ["true is the same as 1, and false as 0", (value) => [...exchangeScalars(value, value, "", swapBoolean)]],
  ["a number is the same as its text", (value) => [...exchangeScalars(value, value, "", swapNumberText)]],
];

function* exchangeScalars(whole: Json, part: Json, at: string, looseEqual: LooseEqual): Generator<Json> {
  const equalScalar = looseEqual(part);
  const result =
    equalScalar === undefined ? undefined : applyChanges(whole, [{ op: "replace", path: at, value: equalScalar }]);
  if (result !== undefined) yield result;
  if (isObject(part) || Array.isArray(part))
    for (const [name, inner] of Object.entries(part))
      yield* exchangeScalars(whole, inner as Json, pointer.append(at, name), looseEqual);
}
