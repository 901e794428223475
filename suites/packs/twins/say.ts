import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";

/** Reports a fault. If freedoms are named, an implementation that uses all of them to refuse may refuse it. */
export type Say = (why: string, ...freedoms: string[]) => void;

/** The object that a value is; an empty one for any other value. */
export function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The list that a value is; an empty one for any other value. */
export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function texts(value: Json | undefined): string[] {
  return list(value).filter((each) => typeof each === "string");
}
