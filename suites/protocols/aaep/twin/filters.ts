import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { stringsIn } from "../../../packs/twins/say.ts";
import { compactType, coreTypes } from "./types.ts";

/** The filters of a subscription: the included types, by default all core events, except the excluded ones. */
export interface Filters {
  include?: readonly string[];
  exclude?: readonly string[];
}

export function filtersOf(capabilities: JsonObject): Filters {
  const { include, exclude } = isObject(capabilities.event_filters) ? capabilities.event_filters : {};
  return { ...filterOf("include", include), ...filterOf("exclude", exclude) };
}

function filterOf(name: string, value: Json | undefined): Record<string, string[]> {
  return Array.isArray(value) ? { [name]: stringsIn(value) } : {};
}

/** Determines the filters that an answer grants. An omitted filter is granted as requested. */
export function agreedFilters(requested: JsonObject, honored: JsonObject): Filters {
  return { ...filtersOf(requested), ...filtersOf(honored) };
}

export function matches(pattern: string, type: string): boolean {
  const shortPattern = compactType(pattern);
  return shortPattern.endsWith("*") ? type.startsWith(shortPattern.slice(0, -1)) : type === shortPattern;
}

export function isDelivered({ include = ["aaep:agent.*"], exclude = [] }: Filters, type: string): boolean {
  return include.some((pattern) => matches(pattern, type)) && !exclude.some((pattern) => matches(pattern, type));
}

/** Finds a type that passes the answer's filters but not those of the request, and whether only the default stops it. */
export function findLeak(requested: Filters, honored: Filters): { type: string; isByDefault: boolean } | undefined {
  const patterns = [requested, honored]
    .flatMap(({ include = [], exclude = [] }) => [...include, ...exclude])
    .map(compactType);
  const exactTypes = patterns.filter((pattern) => !pattern.endsWith("*"));
  const matchingTypes = ["aaep:agent.*", ...patterns]
    .filter((pattern) => pattern.endsWith("*"))
    .map((pattern) => `${pattern.slice(0, -1)}zz`);
  const coreEventTypes = [...coreTypes].map((coreType) => `aaep:${coreType}`);
  const leakedTypes = [...coreEventTypes, ...exactTypes, ...matchingTypes].filter(
    (candidate) => isDelivered(honored, candidate) && !isDelivered(requested, candidate),
  );
  const isExplicit = (type: string): boolean =>
    requested.include !== undefined || (requested.exclude ?? []).some((pattern) => matches(pattern, type));
  const type = leakedTypes.find(isExplicit) ?? leakedTypes[0];
  return type === undefined ? undefined : { type, isByDefault: !isExplicit(type) };
}
