import { ofNumbers } from "../formulas/facets.ts";
import { numbers } from "../formulas/kinds.ts";
import { placesOf, scaledTo } from "./decimal.ts";
import type { KeywordHandler } from "./handler.ts";

/** Whether a number is a multiple of another in exact decimal arithmetic. */
export function isDecimalMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const places = Math.max(placesOf(value), placesOf(divisor));
  return scaledTo(value, places) % scaledTo(divisor, places) === 0n;
}

/** Like `isDecimalMultiple`, but `undefined` if common validators disagree with exact arithmetic, as on 4.35 and 0.01. */
export function isMultiple(value: number, divisor: number): boolean | undefined {
  const exact = isDecimalMultiple(value, divisor);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return exact;
  return hasWholeQuotient(value, divisor) === exact && hasNoRemainder(value, divisor) === exact ? exact : undefined;
}

/** Applies the check of Ajv and similar validators. Some of them print the quotient, and cannot read it from 1e21 on. */
function hasWholeQuotient(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient) < 1e21 && Number.isInteger(quotient);
}

/** The tolerance of Hyperjump: the epsilon of single precision. */
const hyperjumpTolerance = 1.1920929e-7;

/** Applies the check of Hyperjump. */
function hasNoRemainder(value: number, divisor: number): boolean {
  const remainder = value % divisor;
  return Math.min(Math.abs(remainder), Math.abs(remainder - divisor)) < hyperjumpTolerance;
}

/** Returns a deviation that only a reader with a tolerance accepts. It exceeds Hyperjump's tolerance. */
export function tinyStep(limit: number): number {
  return Number(`2e${Math.max(-7, Math.ceil(Math.log10(limit)) - 6)}`);
}

export const multipleOf: KeywordHandler<"multipleOf"> = {
  readers: { multipleOf: (site, value) => [{ kind: "multipleOf", site, limit: value as number }] },
  holds({ limit }, value, { evaluation }) {
    return typeof value !== "number" || (isMultiple(value, limit) ?? evaluation.formatDoubt ?? false);
  },
  assert({ limit }, { shape }) {
    shape.number.multiples.push(limit);
    return true;
  },
  deny: ({ limit }) => ofNumbers(({ notMultiples }) => notMultiples.push(limit)),
  exercise: () => ({ op: "kinds", kinds: numbers }),
  content: ({ limit }) => `multipleOf ${limit}`,
};
