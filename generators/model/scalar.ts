import { type Json, typeOf } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import type { Keyword } from "./model.ts";

export function isType(type: string, value: Json): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeOf(value) === type;
}

export function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const quotient = value / of;
  return Number.isFinite(quotient) && quotient === Math.round(quotient);
}

/** Whether a number fulfils a keyword; one that says nothing of numbers holds. */
export function numberHolds(keyword: Keyword, value: number): boolean {
  switch (keyword.kind) {
    case "minimum":
      return value >= keyword.limit;
    case "maximum":
      return value <= keyword.limit;
    case "exclusiveMinimum":
      return value > keyword.limit;
    case "exclusiveMaximum":
      return value < keyword.limit;
    case "multipleOf":
      return isMultiple(value, keyword.limit);
    default:
      return true;
  }
}

/** Length in Unicode code points, as JSON Schema counts. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index += 1;
    length += 1;
  }
  return length;
}

/** Whether a string fulfils a keyword; `doubt` counts where implementations of a format differ. */
export function stringHolds(keyword: Keyword, value: string, doubt: boolean): boolean {
  switch (keyword.kind) {
    case "minLength":
      return lengthOf(value) >= keyword.limit;
    case "maxLength":
      return lengthOf(value) <= keyword.limit;
    case "pattern":
      return keyword.regexp.test(value);
    case "format":
      return formatHolds(keyword.format, value) ?? doubt;
    default:
      return true;
  }
}
