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

/** Which schemas about the same instance count: those that `$ref` and `allOf` join, or those in branches too. */
type SchemaReach = "joined" | "joined and branches";

const maxDepth = 24;
/** Keywords with several schemas for the same instance, which need not be valid under all of them. */
export const branchingKeywords: readonly string[] = ["anyOf", "oneOf", "then", "else", "dependentSchemas"];

/** Reads schemas for one side. */
export class OneSidedReader {
  readonly #sources: Sources;
  /** Whether keywords beside a reference are ignored, as in OpenAPI 3.0 and draft-07. */
  readonly #isLegacy: boolean;
  readonly #mark: "readOnly" | "writeOnly";

  constructor(sources: Sources, isLegacy: boolean, view: View) {
    this.#sources = sources;
    this.#isLegacy = isLegacy;
    this.#mark = view === "request" ? "readOnly" : "writeOnly";
  }

  /** Whether the schema of a member is marked for the other side. */
  isHidden(member: SourcePlace): boolean {
    return this.#isMarked(member, 0);
  }

  /** The one-sided members of a schema, including those of the surrounding schemas. */
  membersAt(place: SourcePlace, outer: OneSided): OneSided {
    const sureMembers = new Set([...outer.sure, ...this.#hiddenIn(place, "joined")]);
    return {
      sure: sureMembers,
      perhaps: new Set([...outer.perhaps, ...sureMembers, ...this.#hiddenIn(place, "joined and branches")]),
    };
  }

  /** The one-sided members that count in the branches of a keyword: members of joined schemas for sure, and perhaps members of the branches of other keywords. */
  membersInBranches(place: SourcePlace, keyword: string, outer: OneSided): OneSided {
    const { sure } = this.membersAt(place, outer);
    // Only one of `then` and `else` counts.
    const sameChoice = keyword === "then" || keyword === "else" ? ["then", "else"] : [keyword];
    return { sure, perhaps: new Set([...sure, ...this.#hiddenIn(place, "joined and branches", sameChoice)]) };
  }

  /** The one-sided members of the surrounding schemas that change a referenced schema. */
  relevantMembers(place: SourcePlace, { sure, perhaps }: OneSided): OneSided {
    if (sure.size === 0 && perhaps.size === 0) return noneOneSided;
    const ownMembers = this.membersAt(place, noneOneSided);
    const required = this.#requiredIn(place);
    const named = new Set(this.#schemasAround(place, "joined and branches").flatMap(namesIn));
    return {
      sure: new Set([...sure].filter((name) => !ownMembers.sure.has(name) && (required.has(name) || named.has(name)))),
      perhaps: new Set([...perhaps].filter((name) => !ownMembers.perhaps.has(name) && required.has(name))),
    };
  }

  /** Whether `required` of a schema, or of a joined one, loses a name. */
  isLoosened(place: SourcePlace, outer: OneSided): boolean {
    const { perhaps } = this.membersAt(place, outer);
    return perhaps.size > 0 && [...this.#requiredIn(place)].some((name) => perhaps.has(name));
  }

  /** The schemas about the same instance, each once, except the branches of the `except` keywords of `place`. */
  #schemasAround(place: SourcePlace, reach: SchemaReach, except: readonly string[] = []): PlacedSchema[] {
    const seen = new Set<string>();
    const schemas: PlacedSchema[] = [];
    const pending = [{ place, depth: 0 }];
    const keywords = ["allOf", ...(reach === "joined and branches" ? branchingKeywords : [])];
    for (let pendingSchema = pending.pop(); pendingSchema !== undefined; pendingSchema = pending.pop()) {
      const { place: schemaPlace, depth } = pendingSchema;
      const value = valueAt(schemaPlace);
      const key = `${schemaPlace.source.path}#${schemaPlace.at}`;
      if (!isObject(value) || seen.has(key) || depth > maxDepth) continue;
      seen.add(key);
      if (typeof value.$ref === "string") {
        const target = objectAt(this.#sources, schemaPlace);
        if (target !== undefined) pending.push({ place: target.place, depth: depth + 1 });
        if (this.#isLegacy) continue;
      }
      schemas.push({ place: schemaPlace, value });
      const followed = keywords.filter((keyword) => schemaPlace !== place || !except.includes(keyword));
      for (const steps of followed.flatMap((keyword) => stepsInto(keyword, value[keyword])))
        pending.push({ place: placeBelow(schemaPlace, ...steps), depth: depth + 1 });
    }
    return schemas;
  }

  #isMarked(place: SourcePlace, depth: number): boolean {
    const value = valueAt(place);
    if (!isObject(value) || depth > maxDepth) return false;
    if (value[this.#mark] === true) return true;
    if (typeof value.$ref === "string") {
      const target = objectAt(this.#sources, place);
      if (target !== undefined && this.#isMarked(target.place, depth + 1)) return true;
      if (this.#isLegacy) return false;
    }
    const subschemas = (keyword: string): SourcePlace[] =>
      Array.isArray(value[keyword]) ? [...value[keyword].keys()].map((index) => placeBelow(place, keyword, index)) : [];
    if (subschemas("allOf").some((part) => this.#isMarked(part, depth + 1))) return true;
    return ["anyOf", "oneOf"].some((keyword) => {
      const choices = subschemas(keyword).filter((choice) => !isNull(valueAt(choice)));
      return choices.length > 0 && choices.every((choice) => this.#isMarked(choice, depth + 1));
    });
  }

  #hiddenIn(place: SourcePlace, reach: SchemaReach, except: readonly string[] = []): Set<string> {
    const hidden = this.#schemasAround(place, reach, except).flatMap((schema) =>
      namesIn(schema).filter((name) => this.isHidden(placeBelow(schema.place, "properties", name))),
    );
    return new Set(hidden);
  }

  #requiredIn(place: SourcePlace): Set<string> {
    const lists = this.#schemasAround(place, "joined and branches").flatMap(
      ({ value: { required, dependentRequired } }) => [
        required,
        ...(isObject(dependentRequired) ? Object.values(dependentRequired) : []),
      ],
    );
    return new Set(lists.flatMap((names) => (Array.isArray(names) ? names.map(String) : [])));
  }
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
