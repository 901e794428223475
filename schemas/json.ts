/** A JSON value (RFC 8259) as JavaScript holds it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. Members are own properties; `__proto__` is an ordinary name. */
export interface JsonObject {
  [name: string]: Json;
}

/** The six JSON types, `integer` not among them: it is a number without a fraction. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own member, also one named `__proto__`, which plain assignment would take for the prototype. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Equality of JSON values: member order does not matter, `1` equals `1.0`. */
export function equal(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index] as Json));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name] as Json, b[name] as Json))
  );
}
