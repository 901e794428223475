import { isObject, type Json, pointer } from "../../../../schemas/index.ts";

/** A value and its location in a document. */
export interface DocumentPart {
  /** JSON Pointer from the root of the document. */
  at: string;
  value: Json;
}

/** The string at a JSON Pointer; undefined for any other value. */
export function textAt(root: Json, at: string): string | undefined {
  const value = pointer.at(at, root);
  return typeof value === "string" ? value : undefined;
}

/** The items of the list at a JSON Pointer; empty for any other value. */
export function itemsAt(root: Json, at: string): DocumentPart[] {
  const list = pointer.at(at, root);
  return Array.isArray(list) ? list.map((value, index) => ({ at: pointer.append(at, index), value })) : [];
}

/** The members of the object at a JSON Pointer; empty for any other value. */
export function membersAt(root: Json, at: string): (DocumentPart & { name: string })[] {
  const object = pointer.at(at, root);
  if (!isObject(object)) return [];
  return Object.entries(object).map(([name, value]) => ({ name, at: pointer.append(at, name), value }));
}
