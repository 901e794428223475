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

/** Equality of JSON values: member order does not matter, `1` equals `1.0`. However deep they are nested. */
export function equal(a: Json, b: Json): boolean {
  const open: [Json, Json][] = [[a, b]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      for (const [index, item] of one.entries()) open.push([item, other[index] as Json]);
    } else {
      if (!isObject(one) || !isObject(other)) return false;
      const names = Object.keys(one);
      if (names.length !== Object.keys(other).length || !names.every((name) => Object.hasOwn(other, name)))
        return false;
      for (const name of names) open.push([one[name] as Json, other[name] as Json]);
    }
  }
  return true;
}
