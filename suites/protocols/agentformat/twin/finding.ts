import { isObject, type Json } from "../../../../schemas/index.ts";

/** One thing that is wrong with a document. */
export interface DocumentFinding {
  rule: string;
  at: string;
  why: string;
  /** The freedom to ignore it; absent if there is none. */
  freedom?: string;
}

/** A finding, by its parts. */
export function finding(rule: string, at: string, why: string, freedom?: string): DocumentFinding {
  return { rule: `AGF-${rule}`, at, why, ...(freedom === undefined ? {} : { freedom }) };
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

export function list(value: Json | undefined, ...names: string[]): Json[] {
  const found = get(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** The members of an object; none of anything else. */
export function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
