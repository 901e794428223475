import type { ErrorObject } from "ajv/dist/2020.js";
import { equal, isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { followReference, type Locations } from "../reference/locations.ts";

/** One of the schemas of an `anyOf` or a `oneOf`. */
export interface Branch {
  schema: Json;
  /** The absolute location of the schema. */
  site: string;
}

/** The branches of a failed `anyOf` or `oneOf`. */
export function branchesOf({ keyword, parentSchema }: ErrorObject, { locationsBySchema }: Locations): Branch[] {
  const list = (parentSchema as JsonObject | undefined)?.[keyword];
  const site = locationsBySchema.get(parentSchema);
  if (!Array.isArray(list) || site === undefined) return [];
  return list.map((schema, index) => ({ schema, site: `${site}/${keyword}/${index}` }));
}

/**
 * Returns the branches that the sender of an instance may have meant. If only one branch accepts the type of the instance, returns that branch.
 * Otherwise returns the branches with constants and enumerations that match the most members, preferably with all required members present:
 * several if none is clearly best.
 */
export function candidateBranches(branches: readonly Branch[], instance: Json, locations: Locations): Branch[] {
  const branchesOfType = branches.filter(({ schema }) => fitsType(schema, instance, locations));
  if (branchesOfType.length === 1) return branchesOfType;
  const matchCounts = branchesOfType.map((branch) => ({ branch, ...countMatches(branch.schema, instance, locations) }));
  const maxMatches = Math.max(0, ...matchCounts.map(({ matches }) => matches));
  const best = matchCounts.filter(({ matches }) => matches === maxMatches);
  const bestWithoutMisses = best.filter(({ misses }) => misses === 0);
  const candidates = bestWithoutMisses.length > 0 || maxMatches === 0 ? bestWithoutMisses : best;
  const withRequired = candidates.filter(({ branch }) => hasRequired(branch.schema, instance, locations));
  return (candidates.length > 1 && withRequired.length > 0 ? withRequired : candidates).map(({ branch }) => branch);
}

/** The members with a value that distinguishes the branches. */
export function findDiscriminators(branches: readonly Branch[], locations: Locations): string[] {
  const names = branches.flatMap(({ schema }) =>
    layersOf(schema, locations).flatMap(({ properties }) =>
      Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
        listedValues(member) ? name : [],
      ),
    ),
  );
  return [...new Set(names)];
}

/** A schema, and the schemas that apply to the same value, by `$ref` and `allOf`. */
export function layersOf(schema: Json, locations: Locations, visited: Set<Json> = new Set()): JsonObject[] {
  if (!isObject(schema) || visited.has(schema)) return [];
  visited.add(schema);
  const allOf = Array.isArray(schema.allOf) ? schema.allOf : [];
  const target = followReference(schema, locations);
  return [
    schema,
    ...[...allOf, ...(target === undefined ? [] : [target])].flatMap((subschema) =>
      layersOf(subschema, locations, visited),
    ),
  ];
}

function countMatches(schema: Json, instance: Json, locations: Locations): { matches: number; misses: number } {
  const valueMatches = layersOf(schema, locations).flatMap(({ properties }) =>
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => {
      const values = listedValues(member);
      if (values === undefined || !isObject(instance) || !Object.hasOwn(instance, name)) return [];
      return [values.some((value) => equal(value, instance[name] as Json))];
    }),
  );
  return { matches: valueMatches.filter(Boolean).length, misses: valueMatches.filter((isMatch) => !isMatch).length };
}

function listedValues(schema: Json): Json[] | undefined {
  if (!isObject(schema)) return undefined;
  if ("const" in schema) return [schema.const as Json];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function hasRequired(schema: Json, instance: Json, locations: Locations): boolean {
  return layersOf(schema, locations).every(
    ({ required }) =>
      !Array.isArray(required) ||
      (isObject(instance) && required.every((name) => Object.hasOwn(instance, String(name)))),
  );
}

function typeOf(instance: Json): string {
  if (instance === null) return "null";
  return Array.isArray(instance) ? "array" : typeof instance;
}

function fitsType(schema: Json, instance: Json, locations: Locations): boolean {
  if (schema === false) return false;
  const actualType = typeOf(instance);
  return layersOf(schema, locations).every(({ type }) => {
    if (type === undefined) return true;
    return [type]
      .flat()
      .some((accepted) => accepted === actualType || (accepted === "integer" && actualType === "number"));
  });
}
