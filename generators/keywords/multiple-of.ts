import { ofNumbers } from "../formulas/facets.ts";
import { numbers } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";

export function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const quotient = value / of;
  return Number.isFinite(quotient) && quotient === Math.round(quotient);
}

export const multipleOf: KeywordHandler<"multipleOf"> = {
  isPlain: true,
  reads: { multipleOf: (site, value) => [{ kind: "multipleOf", site, limit: value as number }] },
  holds: ({ limit }, value) => typeof value !== "number" || isMultiple(value, limit),
  assert({ limit }, { shape }) {
    shape.number.multiples.push(limit);
    return true;
  },
  deny: ({ limit }) => ofNumbers(({ notMultiples }) => notMultiples.push(limit)),
  exercise: () => ({ op: "kinds", kinds: numbers }),
  content: ({ limit }) => `multipleOf ${limit}`,
};
