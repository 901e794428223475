import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { texts } from "../../../packs/twins/say.ts";
import { compactType, coreTypes } from "./types.ts";

/** The types that pass: all included types, or every core event without a filter, except the excluded ones. */
export interface Filters {
  include?: readonly string[];
  exclude?: readonly string[];
}

export function filtersOf(capabilities: JsonObject): Filters {
  const { include, exclude } = isObject(capabilities.event_filters) ? capabilities.event_filters : {};
  return { ...filterOf("include", include), ...filterOf("exclude", exclude) };
}

function filterOf(name: string, value: Json | undefined): Record<string, string[]> {
  return Array.isArray(value) ? { [name]: texts(value) } : {};
}

/** The filters of an answer; an omitted filter is granted as requested. */
export function agreedFilters(requested: JsonObject, honored: JsonObject): Filters {
  return { ...filtersOf(requested), ...filtersOf(honored) };
}

export function matches(pattern: string, type: string): boolean {
  const wanted = compactType(pattern);
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

export function isDelivered({ include = ["aaep:agent.*"], exclude = [] }: Filters, type: string): boolean {
  return include.some((each) => matches(each, type)) && !exclude.some((each) => matches(each, type));
}

/** A type that passes the answer's filters but not the request's, and whether only a default decides that. */
export function findLeak(requested: Filters, honored: Filters): { type: string; isByDefault: boolean } | undefined {
  const all = [requested, honored]
    .flatMap(({ include = [], exclude = [] }) => [...include, ...exclude])
    .map(compactType);
  const literal = all.filter((each) => !each.endsWith("*"));
  const open = ["aaep:agent.*", ...all].filter((each) => each.endsWith("*")).map((each) => `${each.slice(0, -1)}zz`);
  const types = [...coreTypes].map((coreType) => `aaep:${coreType}`);
  const leaking = [...types, ...literal, ...open].filter(
    (each) => isDelivered(honored, each) && !isDelivered(requested, each),
  );
  const isSaid = (type: string): boolean =>
    requested.include !== undefined || (requested.exclude ?? []).some((each) => matches(each, type));
  const type = leaking.find(isSaid) ?? leaking[0];
  return type === undefined ? undefined : { type, isByDefault: !isSaid(type) };
}
