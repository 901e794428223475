import type { Change, Json, JsonObject, ValidCase } from "../../schemas/index.ts";

/** Changes of a single member, for the cases of rules. */
export const set = (path: string, value: Json): Change[] => [{ op: "replace", path, value }];
export const add = (path: string, value: Json): Change[] => [{ op: "add", path, value }];
export const remove = (path: string): Change[] => [{ op: "remove", path }];

/** Makes a case that keeps its rule at a place. `edge` marks a boundary value. */
export function keptCase(name: string, says: string, at: string, data: JsonObject, edge?: true): ValidCase {
  return { name, says, at, data, ...(edge === undefined ? {} : { edge }) };
}

/** Copies an object without one of its members. */
export function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([memberName]) => memberName !== name));
}
