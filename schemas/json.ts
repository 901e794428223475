/** A JSON value (RFC 8259) as a JavaScript value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. Members are own properties; `__proto__` is an ordinary name. */
export interface JsonObject {
  [name: string]: Json;
}

/** The six JSON types. An integer is a number. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Looks up an untrusted name in a table, and ignores inherited members such as `constructor`. All names from outside go through this, a `Map`,
 * or `Object.hasOwn`.
 */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Whether every object inherits a member of this name, which confuses libraries that look up names in objects. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Sets an own member, even one named `__proto__`, which plain assignment would use as the prototype. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Levels that are copied by recursion; deeper values go to `structuredClone`, which is slower and reports excessive depth. */
const maxLevels = 500;

/** Makes a copy that shares no object with the value: `structuredClone` for JSON, in a fifth of the time. Throws if the nesting is too deep. */
export function copyOf(value: Json, levels: number = maxLevels): Json {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return structuredClone(value);
  if (Array.isArray(value)) return value.map((item) => copyOf(item, levels - 1));
  // The copy has own members only, so that assignment works for every name.
  const copy = { ...value };
  for (const name in copy) {
    const member = copy[name] as Json;
    if (typeof member === "object" && member !== null) copy[name] = copyOf(member, levels - 1);
  }
  return copy;
}

/** Equality of JSON values of any depth: member order does not matter, and `1` equals `1.0`. */
export function equal(a: Json, b: Json): boolean {
  const pairs: [Json, Json][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (const [index, item] of left.entries()) pairs.push([item, right[index] as Json]);
    } else {
      if (!isObject(left) || !isObject(right)) return false;
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length || !names.every((name) => Object.hasOwn(right, name)))
        return false;
      for (const name of names) pairs.push([left[name] as Json, right[name] as Json]);
    }
  }
  return true;
}

/** The value of a JSON text, as JSON.parse reads it; undefined for any other text. */
export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined for any other text. */
export function jsonObjectOf(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}
