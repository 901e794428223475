import { ofNumbers } from "../formulas/facets.ts";
import { numbers } from "../formulas/kinds.ts";
import { placesOf, scaledTo } from "./decimal.ts";
import type { KeywordHandler } from "./handler.ts";

/** Whether the text of a number is a multiple of that of another, in exact decimal arithmetic. */
export function isDecimalMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  if (!Number.isFinite(value)) return false;
  const places = Math.max(placesOf(value), placesOf(of));
  return scaledTo(value, places) % scaledTo(of, places) === 0n;
}

/** True or false when decimal arithmetic and that of usual validators agree; `undefined` when they differ, as on 4.35 and 0.01. */
export function isMultiple(value: number, of: number): boolean | undefined {
  const exact = isDecimalMultiple(value, of);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return exact;
  return hasWholeQuotient(value, of) === exact && hasNoRemainder(value, of) === exact ? exact : undefined;
}

/** As Ajv and others judge; those among them that print the quotient do not read it from 1e21 on. */
function hasWholeQuotient(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient) < 1e21 && Number.isInteger(quotient);
}

/** As Hyperjump judges. */
function hasNoRemainder(value: number, of: number): boolean {
  const remainder = value % of;
  return Math.min(Math.abs(remainder), Math.abs(remainder - of)) < 1.1920929e-7;
}

/** So small that only a tolerance accepts a value off by it, and a larger one than Hyperjump's. */
export function tinyStep(limit: number): number {
  return Number(`2e${Math.max(-7, Math.ceil(Math.log10(limit)) - 6)}`);
}

export const multipleOf: KeywordHandler<"multipleOf"> = {
  reads: { multipleOf: (site, value) => [{ kind: "multipleOf", site, limit: value as number }] },
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
