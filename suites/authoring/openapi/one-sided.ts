import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources, valueAt } from "./source.ts";

/** Whether a schema describes data that a client sends, or a server. */
export type View = "request" | "response";

/**
 * Members that only the other side sends: `readOnly` in requests, `writeOnly` in answers. `required` demands them only of the other side (OpenAPI 3.0.3,
 * Schema Object). The mark and `required` may be in different schemas of one instance.
 */
export interface OneSided {
  /** Members marked in schemas that `$ref` and `allOf` join: the instance never has them. */
  sure: ReadonlySet<string>;
  /** Members marked in a branch as well: the instance need not have them. */
  perhaps: ReadonlySet<string>;
}

export const noneOneSided: OneSided = { sure: new Set(), perhaps: new Set() };

/** Reads schemas for one side. */
export interface OneSidedReader {
  /** Whether the schema of a member is marked for the other side. */
  isHidden(member: SourcePlace): boolean;
  /** The one-sided members of a schema, including those of the surrounding schemas. */
  membersAt(place: SourcePlace, outer: OneSided): OneSided;
  /** The one-sided members that count in the branches of a keyword: members of joined schemas for sure, and perhaps members of the branches of other keywords. */
  membersInBranches(place: SourcePlace, keyword: string, outer: OneSided): OneSided;
  /** The one-sided members of the surrounding schemas that change a referenced schema. */
  relevantMembers(place: SourcePlace, outer: OneSided): OneSided;
  /** Whether `required` of a schema, or of a joined one, loses a name. */
  isLoosened(place: SourcePlace, outer: OneSided): boolean;
}

/** Which schemas about the same instance count: those that `$ref` and `allOf` join, or those in branches too. */
type SchemaReach = "joined" | "joined and branches";

const maxDepth = 24;
/** Keywords with schemas about the same instance; not all of them need to be valid. */
export const branchingKeywords: readonly string[] = ["anyOf", "oneOf", "then", "else", "dependentSchemas"];

export function oneSidedReader(sources: Sources, isOld: boolean, view: View): OneSidedReader {
  const mark = view === "request" ? "readOnly" : "writeOnly";

  /** The schemas about the same instance, each once, except the branches of the `except` keywords of `place`. */
  const schemasAround = (place: SourcePlace, reach: SchemaReach, except: readonly string[] = []): PlacedSchema[] => {
    const seen = new Set<string>();
    const schemas: PlacedSchema[] = [];
    const pending = [{ place, depth: 0 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { place: schemaPlace, depth } = next;
      const value = valueAt(schemaPlace);
      const key = `${schemaPlace.source.path}#${schemaPlace.at}`;
      if (!isObject(value) || seen.has(key) || depth > maxDepth) continue;
      seen.add(key);
      const more = (...steps: (string | number)[]) =>
        pending.push({ place: placeBelow(schemaPlace, ...steps), depth: depth + 1 });
      if (typeof value.$ref === "string") {
        const target = objectAt(sources, schemaPlace);
        if (target !== undefined) pending.push({ place: target.place, depth: depth + 1 });
        if (isOld) continue;
      }
      schemas.push({ place: schemaPlace, value });
      for (const keyword of ["allOf", ...(reach === "joined and branches" ? branchingKeywords : [])]) {
        if (schemaPlace === place && except.includes(keyword)) continue;
        for (const steps of stepsInto(keyword, value[keyword])) more(...steps);
      }
    }
    return schemas;
  };

  const isHidden = (member: SourcePlace): boolean => isMarked(member, 0);

  const isMarked = (place: SourcePlace, depth: number): boolean => {
    const value = valueAt(place);
    if (!isObject(value) || depth > maxDepth) return false;
    if (value[mark] === true) return true;
    if (typeof value.$ref === "string") {
      const target = objectAt(sources, place);
      if (target !== undefined && isMarked(target.place, depth + 1)) return true;
      if (isOld) return false;
    }
    const subschemas = (keyword: string): SourcePlace[] =>
      Array.isArray(value[keyword]) ? [...value[keyword].keys()].map((index) => placeBelow(place, keyword, index)) : [];
    if (subschemas("allOf").some((part) => isMarked(part, depth + 1))) return true;
    return ["anyOf", "oneOf"].some((keyword) => {
      const choices = subschemas(keyword).filter((choice) => !isNull(valueAt(choice)));
      return choices.length > 0 && choices.every((choice) => isMarked(choice, depth + 1));
    });
  };

  const hiddenIn = (place: SourcePlace, reach: SchemaReach, except: readonly string[] = []): Set<string> =>
    new Set(
      schemasAround(place, reach, except).flatMap((schema) =>
        namesIn(schema).filter((name) => isHidden(placeBelow(schema.place, "properties", name))),
      ),
    );

  const requiredIn = (place: SourcePlace): Set<string> =>
    new Set(
      schemasAround(place, "joined and branches").flatMap(({ value: { required, dependentRequired } }) =>
        [required, ...(isObject(dependentRequired) ? Object.values(dependentRequired) : [])].flatMap((names) =>
          Array.isArray(names) ? names.map(String) : [],
        ),
      ),
    );

  const namedIn = (place: SourcePlace): Set<string> =>
    new Set(schemasAround(place, "joined and branches").flatMap(namesIn));

  const oneSidedAt = (place: SourcePlace, outer: OneSided): OneSided => {
    const sureMembers = new Set([...outer.sure, ...hiddenIn(place, "joined")]);
    return {
      sure: sureMembers,
      perhaps: new Set([...outer.perhaps, ...sureMembers, ...hiddenIn(place, "joined and branches")]),
    };
  };

  return {
    isHidden,
    membersAt: oneSidedAt,
    membersInBranches: (place, keyword, outer) => {
      const { sure } = oneSidedAt(place, outer);
      // Only one of `then` and `else` counts.
      const sameChoice = keyword === "then" || keyword === "else" ? ["then", "else"] : [keyword];
      return { sure, perhaps: new Set([...sure, ...hiddenIn(place, "joined and branches", sameChoice)]) };
    },
    relevantMembers: (place, { sure, perhaps }) => {
      if (sure.size === 0 && perhaps.size === 0) return noneOneSided;
      const ownMembers = oneSidedAt(place, noneOneSided);
      const required = requiredIn(place);
      const namedMembers = namedIn(place);
      return {
        sure: new Set(
          [...sure].filter((name) => !ownMembers.sure.has(name) && (required.has(name) || namedMembers.has(name))),
        ),
        perhaps: new Set([...perhaps].filter((name) => !ownMembers.perhaps.has(name) && required.has(name))),
      };
    },
    isLoosened: (place, outer) => {
      const { perhaps } = oneSidedAt(place, outer);
      return perhaps.size > 0 && [...requiredIn(place)].some((name) => perhaps.has(name));
    },
  };
}

/** The paths to the subschemas of a keyword. */
function stepsInto(keyword: string, inner: Json | undefined): string[][] {
  if (keyword === "then" || keyword === "else") return [[keyword]];
  return typeof inner === "object" && inner !== null ? Object.keys(inner).map((name) => [keyword, name]) : [];
}

interface PlacedSchema {
  place: SourcePlace;
  value: JsonObject;
}

function namesIn({ value: { properties } }: PlacedSchema): string[] {
  return Object.keys(isObject(properties) ? properties : {});
}

function isNull(schema: Json | undefined): boolean {
  return isObject(schema) && (schema.type === "null" || schema.const === null);
}
