import type { Json } from "../../schemas/index.ts";

/** The kinds of value as bits: JSON's types, with numbers split into integers and fractions. */
export const kinds = { null: 1, boolean: 2, integer: 4, fraction: 8, string: 16, array: 32, object: 64 } as const;
export const numbers: number = kinds.integer | kinds.fraction;
export const everyKind = 127;

export function kindOf(value: Json): number {
  if (value === null) return kinds.null;
  if (Array.isArray(value)) return kinds.array;
  if (typeof value === "number") return Number.isInteger(value) ? kinds.integer : kinds.fraction;
  return kinds[typeof value as "boolean" | "string" | "object"];
}

/** Returns the kinds that a `type` keyword allows. */
export function kindsOf(types: readonly string[]): number {
  return types.reduce(
    (mask, type) => mask | (type === "number" ? numbers : (kinds[type as keyof typeof kinds] ?? 0)),
    0,
  );
}
