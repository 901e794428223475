import { isObject, type Json } from "../../../schemas/index.ts";

/** One mistake in the judgment of a twin. */
export interface TwinFinding {
  rule: string;
  at: string;
  why: string;
  /** The freedom to ignore it; absent if there is none. */
  freedom?: string;
}

/** The value at the end of some names, one in another; undefined if there is none. */
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
