import { isObject, type Json } from "./json.ts";

/** One step of a JSON Pointer (RFC 6901), escaped. */
export function escaped(segment: string): string {
  const plain = segment.includes("~") ? segment.replaceAll("~", "~0") : segment;
  return plain.includes("/") ? plain.replaceAll("/", "~1") : plain;
}

export function append(pointer: string, segment: string | number): string {
  return `${pointer}/${escaped(String(segment))}`;
}

/** The unescaped segments. Throws a RangeError unless the pointer is empty or begins with `/`. */
export function segments(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/"))
    throw new RangeError(`"${pointer}" is not a JSON Pointer: it must be empty or begin with /`);
  const parts = pointer.slice(1).split("/");
  return pointer.includes("~") ? parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")) : parts;
}

/** Pointer of the containing value, and the last segment. */
export function split(pointer: string): { parent: string; last: string } {
  const index = pointer.lastIndexOf("/");
  return { parent: pointer.slice(0, index), last: segments(pointer.slice(index))[0] as string };
}

/** The value at a JSON Pointer, or undefined. Ignores inherited members. */
export function at(pointer: string, value: Json): Json | undefined {
  if (pointer === "") return value;
  let current: Json | undefined = value;
  for (const segment of segments(pointer)) {
    if (Array.isArray(current)) {
      if (!/^(0|[1-9][0-9]*)$/.test(segment)) return undefined;
      current = current[Number(segment)];
    } else if (isObject(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return current;
}

export function has(pointer: string, value: Json): boolean {
  return at(pointer, value) !== undefined;
}

/** Whether two locations are the same, or one contains the other. */
export function areRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
