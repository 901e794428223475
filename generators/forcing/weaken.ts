import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { identifier } from "../model/compile.ts";
import type { Location } from "../model/model.ts";

/** The schemas with one of them changed at a location; the others are the same objects. Throws when there is nothing at the location. */
export function changedAt(
  schemas: readonly JsonObject[],
  location: Location,
  change: (holder: Json, last: string) => void,
): JsonObject[] {
  const index = location.indexOf("#");
  const id = location.slice(0, index);
  const path = location.slice(index + 1);
  let found = false;
  const result = schemas.map((schema) => {
    if (identifier(schema) !== id || !pointer.has(path, schema)) return schema;
    found = true;
    const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
    const { parent, last } = pointer.split(path);
    change(pointer.at(parent, copy) as Json, last);
    return copy;
  });
  if (!found) throw new Error(`there is nothing at ${location}`);
  return result;
}

/** The schemas without one assertion: a keyword, or one entry of `required`. */
export function without(schemas: readonly JsonObject[], site: Location): JsonObject[] {
  return changedAt(schemas, site, (holder, last) => {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else if (isObject(holder)) delete holder[last];
  });
}
