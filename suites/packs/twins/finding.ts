import { isObject, type Json } from "../../../schemas/index.ts";

/** One fault found by a twin. */
export interface TwinFinding {
  rule: string;
  at: string;
  why: string;
  /** The freedom that allows ignoring it, if there is one. */
  freedom?: string;
}

/** The value at a path of names; undefined if there is none. */
export function get(value: Json | undefined, ...names: (string | number)[]): Json | undefined {
  let found = value;
  for (const name of names) {
    const isThere = (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name);
    found = isThere ? (found as Record<string, Json>)[name] : undefined;
  }
  return found;
}

export function has(value: Json | undefined, name: string): boolean {
  return get(value, name) !== undefined;
}
