import type { Keyword, Location } from "../model/model.ts";
import { guardPattern } from "../regex/guard.ts";

/** A keyword as Hyperjump compiles it. */
export type Entry = [id: string, uri: string, value: unknown];

/** Converts a compiled keyword to keywords of the model. */
export type Reader = (site: Location, value: unknown, siblings: readonly Entry[]) => Keyword[];

const base = "https://json-schema.org/keyword/";

/** Returns the name of a keyword in any draft. */
export function nameOf([id]: Entry): string {
  return id.slice(base.length).replace(/^draft-[0-9-]+\//, "");
}

/** Returns the compiled form of a sibling keyword. */
export function siblingValue(siblings: readonly Entry[], name: string): unknown {
  return siblings.find(([id]) => id === `${base}${name}`)?.[2];
}

/** Returns Hyperjump's URI with its fragment as a plain JSON Pointer. */
export function plainLocation(uri: string): Location {
  const index = uri.indexOf("#");
  return `${uri.slice(0, index)}#${decodeURI(uri.slice(index + 1))}`;
}

/** Makes a pattern that does not match any string on which it might run forever, so that no generator builds on such a string. */
export function safePattern(pattern: RegExp): RegExp {
  return guardPattern(pattern, "refuse");
}

/** Lists the members of a keyword with an object as its value, in either compiled form. */
export function entriesOf(value: unknown): [string, unknown][] {
  return Array.isArray(value) ? (value as [string, unknown][]) : Object.entries(value as Record<string, unknown>);
}
