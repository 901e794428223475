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
export function branchesOf({ keyword, parentSchema }: ErrorObject, { of }: Locations): Branch[] {
  const list = (parentSchema as JsonObject | undefined)?.[keyword];
  const site = of.get(parentSchema);
  if (!Array.isArray(list) || site === undefined) return [];
  return list.map((schema, index) => ({ schema, site: `${site}/${keyword}/${index}` }));
}

/** The branches that may be meant for an instance. If only one accepts its type, it is that one. Otherwise they are the branches with constants and enumerations that match the most of its members, and of these the ones with all required members present. Several are returned if none is clearly best. */
export function candidateBranches(branches: readonly Branch[], instance: Json, locations: Locations): Branch[] {
  const typed = branches.filter(({ schema }) => fitsType(schema, instance, locations));
  if (typed.length === 1) return typed;
  const counted = typed.map((branch) => ({ branch, ...countMatches(branch.schema, instance, locations) }));
  const maxMatches = Math.max(0, ...counted.map(({ matches }) => matches));
  const best = counted.filter(({ matches }) => matches === maxMatches);
  const certain = best.filter(({ misses }) => misses === 0);
  const candidates =
    maxMatches > 0 && certain.length > 0
      ? certain
      : maxMatches > 0
        ? best
        : counted.filter(({ misses }) => misses === 0);
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
  const matchesValue = layersOf(schema, locations).flatMap(({ properties }) =>
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => {
      const values = listedValues(member);
      if (values === undefined || !isObject(instance) || !Object.hasOwn(instance, name)) return [];
      return [values.some((value) => equal(value, instance[name] as Json))];
    }),
  );
  return { matches: matchesValue.filter(Boolean).length, misses: matchesValue.filter((isMatch) => !isMatch).length };
}

function listedValues(schema: Json): Json[] | undefined {
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
  const actualType = Array.isArray(instance) ? "array" : instance === null ? "null" : typeof instance;
  return layersOf(schema, locations).every(({ type }) => {
    if (type === undefined) return true;
    return [type]
      .flat()
      .some((accepted) => accepted === actualType || (accepted === "integer" && actualType === "number"));
  });
}
