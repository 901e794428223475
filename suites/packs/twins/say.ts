import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";

/** Reports a fault. If freedoms are given, only an implementation that uses all of them may refuse the message. */
export type ReportFault = (why: string, ...freedoms: string[]) => void;

/** The value if it is an object, and an empty object otherwise. */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list, and an empty list otherwise. */
export function listOrEmpty(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The strings in a list; empty for any other value. */
export function stringsIn(value: Json | undefined): string[] {
  return listOrEmpty(value).filter((item) => typeof item === "string");
}
