import type { Change, Json, JsonObject, ValidCase } from "../../schemas/index.ts";

/** Changes of one member each, as cases of rules need them. */
export const set = (path: string, value: Json): Change[] => [{ op: "replace", path, value }];
export const add = (path: string, value: Json): Change[] => [{ op: "add", path, value }];
export const remove = (path: string): Change[] => [{ op: "remove", path }];

/** A case that keeps its rule at a place, optionally just barely. */
export function keptCase(name: string, says: string, at: string, data: JsonObject, edge?: true): ValidCase {
  return { name, says, at, data, ...(edge === undefined ? {} : { edge }) };
}

/** An object without one of its members. */
export function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}
