import type { Json, JsonObject } from "./json.ts";
import { nearestName } from "./nearest-name.ts";
import { append } from "./pointer.ts";

/** Conditions on a JSON value, by JSON Pointers into it; all of them must be met. */
export interface ValueConditions {
  equal?: JsonObject;
  differs?: JsonObject;
  /** Regular expressions with the flag `u`. */
  matches?: Record<string, string>;
  present?: string[];
  absent?: string[];
  /** A value that a list must contain, by the JSON Pointer of the list. */
  includes?: JsonObject;
}

/** Conditions on published documents, by their names in `http.publishes` of the profile, under which something applies (`when`) or does not (`unless`). */
export interface Dependence {
  when?: Record<string, ValueConditions>;
  unless?: Record<string, ValueConditions>;
}

/** A fault in a dependence: its JSON Pointer, the problem and the remedy. */
export interface DependenceFault {
  at: string;
  what: string;
  hint: string;
}

/** Finds the first fault: a document that is not published, or an invalid pattern. `publishedNames` are the names under `http.publishes`. */
export function dependenceFault(
  dependence: Dependence,
  publishedNames: readonly string[],
): DependenceFault | undefined {
  for (const member of ["when", "unless"] as const)
    for (const [document, { matches = {} }] of Object.entries(dependence[member] ?? {})) {
      const at = append(`/${member}`, document);
      if (!publishedNames.includes(document))
        return {
          at,
          what: `http.publishes of the profile has no document ${document}`,
          hint: `${nearestName(document, publishedNames)}add its path there, such as { "${document}": "/.well-known/${document}.json" }`,
        };
      const invalidPattern = Object.entries(matches).find(([, pattern]) => !isPattern(pattern));
      if (invalidPattern !== undefined)
        return {
          at: append(`${at}/matches`, invalidPattern[0]),
          what: `${JSON.stringify(invalidPattern[1])} is not a regular expression`,
          hint: "correct it",
        };
    }
  return undefined;
}

/** Whether a value is a regular expression of JavaScript with the flag `u`. */
export function isPattern(text: Json): boolean {
  try {
    return new RegExp(String(text), "u") !== undefined;
  } catch {
    return false;
  }
}
