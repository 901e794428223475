import { isObject, type Json } from "../../../schemas/index.ts";

/** One fault found by a twin. */
export interface TwinFinding {
  rule: string;
  at: string;
  why: string;
  /** The freedom that allows ignoring the fault, if any. */
  freedom?: string;
}

/** The value at a path of names and indices; undefined if there is none. */
export function get(value: Json | undefined, ...names: (string | number)[]): Json | undefined {
  let current = value;
  for (const name of names) {
    const isPresent = (isObject(current) || Array.isArray(current)) && Object.hasOwn(current, name);
    current = isPresent ? (current as Record<string, Json>)[name] : undefined;
  }
  return current;
}

export function has(value: Json | undefined, name: string): boolean {
  return get(value, name) !== undefined;
}
