import type { ErrorObject } from "ajv/dist/2020.js";
import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { followReference, type Locations } from "../reference/locations.ts";

/** One of the schemas of an `anyOf` or a `oneOf`. */
export interface Branch {
  schema: Json;
  /** Its absolute location. */
  site: string;
}

/** The branches of a failed `anyOf` or `oneOf`. */
export function branchesOf({ keyword, parentSchema }: ErrorObject, { of }: Locations): Branch[] {
  const list = (parentSchema as JsonObject | undefined)?.[keyword];
  const site = of.get(parentSchema);
  if (!Array.isArray(list) || site === undefined) return [];
  return list.map((schema, index) => ({ schema, site: `${site}/${keyword}/${index}` }));
}

/** The branches that an instance may mean: the only one for its type; otherwise the branches with constants and enumerations that match most of its members, and of these the ones with all required members. Several if none is clearly best. */
export function candidateBranches(branches: readonly Branch[], instance: Json, locations: Locations): Branch[] {
  const typed = branches.filter(({ schema }) => fitsType(schema, instance, locations));
  if (typed.length === 1) return typed;
  const weighed = typed.map((branch) => ({ branch, ...tellBranches(branch.schema, instance, locations) }));
  const maxMatches = Math.max(0, ...weighed.map(({ matches }) => matches));
  const best = weighed.filter(({ matches }) => matches === maxMatches);
  const certain = best.filter(({ misses }) => misses === 0);
  const left =
    maxMatches > 0 && certain.length > 0
      ? certain
      : maxMatches > 0
        ? best
        : weighed.filter(({ misses }) => misses === 0);
  const whole = left.filter(({ branch }) => hasRequired(branch.schema, instance, locations));
  return (left.length > 1 && whole.length > 0 ? whole : left).map(({ branch }) => branch);
}

/** Members with a value that distinguishes the branches. */
export function findDiscriminators(branches: readonly Branch[], locations: Locations): string[] {
  const names = branches.flatMap(({ schema }) =>
    layersOf(schema, locations).flatMap(({ properties }) =>
      Object.entries(isObject(properties) ? properties : {}).flatMap(([name, each]) => (namedValues(each) ? name : [])),
    ),
  );
  return [...new Set(names)];
}

/** A schema, and the schemas that it includes as a whole by `$ref` and `allOf`. */
export function layersOf(schema: Json, locations: Locations, seen: Set<Json> = new Set()): JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const within = Array.isArray(schema.allOf) ? schema.allOf : [];
  const other = followReference(schema, locations);
  return [
    schema,
    ...[...within, ...(other === undefined ? [] : [other])].flatMap((each) => layersOf(each, locations, seen)),
  ];
}

function tellBranches(schema: Json, instance: Json, locations: Locations): { matches: number; misses: number } {
  const constants = layersOf(schema, locations).flatMap(({ properties }) =>
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, each]) => {
      const values = namedValues(each);
      if (values === undefined || !isObject(instance) || !Object.hasOwn(instance, name)) return [];
      return [values.some((value) => equal(value, instance[name] as Json))];
    }),
  );
  return { matches: constants.filter(Boolean).length, misses: constants.filter((constant) => !constant).length };
}

function namedValues(schema: Json): Json[] | undefined {
  if (!isObject(schema)) return undefined;
  return "const" in schema ? [schema.const as Json] : Array.isArray(schema.enum) ? schema.enum : undefined;
}

function hasRequired(schema: Json, instance: Json, locations: Locations): boolean {
  return layersOf(schema, locations).every(
    ({ required }) =>
      !Array.isArray(required) ||
      (isObject(instance) && required.every((name) => Object.hasOwn(instance, String(name)))),
  );
}

function fitsType(schema: Json, instance: Json, locations: Locations): boolean {
  if (schema === false) return false;
  const own = Array.isArray(instance) ? "array" : instance === null ? "null" : typeof instance;
  return layersOf(schema, locations).every(({ type }) => {
    if (type === undefined) return true;
    return [type].flat().some((each) => each === own || (each === "integer" && own === "number"));
  });
}
