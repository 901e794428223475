import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { listIn } from "./parts.ts";

const plainValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1.5,
  2,
  7,
  100,
  "",
  " ",
  "a",
  "A",
  "0",
  "a-b",
  "ab",
  "abc-9",
  "a_b",
  "CODE-1",
  "CODE-100",
  "AB-1",
  "CODE-100.5",
  "CUE-1",
  "CUE-100",
  "broadcast",
  "Zürich",
  "a long text of words",
  "2026-01-15T09:30:00Z",
  "6513270e-269e-4d37-b2a7-4de452e6b438",
  "https://example.org/a",
  "x".repeat(70),
];
/** Longer strings and lists are not tried. */
const maxSize = 200;
const boundKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const lengthKeywords = ["minLength", "maxLength", "minItems", "maxItems"];

/** Values that may distinguish two schemas: at and near their bounds, from their enums, and of every type. */
export function probesOf(parts: Iterable<JsonObject>, item: Json): Json[] {
  const values: Json[] = [...plainValues, [], [item], [item, item], {}];
  for (const part of parts) {
    values.push(...listIn(part, "enum"), ...listIn(part, "examples"));
    if (part.const !== undefined) values.push(part.const);
    for (const limit of numbersIn(part, boundKeywords))
      values.push(limit, limit - 1, limit + 1, limit - 0.5, limit + 0.5);
    for (const step of numbersIn(part, ["multipleOf"])) values.push(step, 2 * step, 3 * step, 1.5 * step);
    const possibleSizes = numbersIn(part, lengthKeywords).flatMap((length) => [length - 1, length, length + 1]);
    for (const size of possibleSizes.filter((length) => length >= 0 && length < maxSize))
      values.push("a".repeat(size), new Array(size).fill(item));
  }
  return values;
}

function numbersIn(part: JsonObject, keywords: readonly string[]): number[] {
  return keywords.flatMap((keyword) => {
    const values = part[keyword];
    return typeof values === "number" ? [values] : [];
  });
}
