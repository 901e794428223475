import { ofNumbers } from "../formulas/facets.ts";
import { numbers } from "../formulas/kinds.ts";
import { placesOf, scaledTo } from "./decimal.ts";
import type { KeywordHandler } from "./handler.ts";

/** Whether a number is a multiple of another in exact decimal arithmetic. */
export function isDecimalMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  if (!Number.isFinite(value)) return false;
  const places = Math.max(placesOf(value), placesOf(of));
  return scaledTo(value, places) % scaledTo(of, places) === 0n;
}

/** Whether a number is a multiple, if exact arithmetic and common validators agree; `undefined` if they differ, as on 4.35 and 0.01. */
export function isMultiple(value: number, of: number): boolean | undefined {
  const exact = isDecimalMultiple(value, of);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return exact;
  return hasWholeQuotient(value, of) === exact && hasNoRemainder(value, of) === exact ? exact : undefined;
}

/** The judgement of Ajv and similar validators. Those that print the quotient cannot read it from 1e21 on. */
function hasWholeQuotient(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient) < 1e21 && Number.isInteger(quotient);
}

/** The judgement of Hyperjump. */
function hasNoRemainder(value: number, of: number): boolean {
  const remainder = value % of;
  return Math.min(Math.abs(remainder), Math.abs(remainder - of)) < 1.1920929e-7;
}

/** A deviation that only a reader with a tolerance accepts, and larger than Hyperjump's tolerance. */
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
