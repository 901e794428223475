import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { documentAt } from "../compile/resource.ts";
import type { Location } from "../model/model.ts";

/** Changes one of the schemas at a location; the others are the same objects. Throws if there is nothing at the location. */
export function editSchemaAt(
  schemas: readonly JsonObject[],
  location: Location,
  change: (holder: Json, last: string) => void,
): JsonObject[] {
  const place = documentAt(schemas, location);
  if (place === undefined || !pointer.has(place.path, place.document))
    throw new Error(`there is nothing at ${location}`);
  const copy = JSON.parse(JSON.stringify(place.document)) as JsonObject;
  const { parent, last } = pointer.split(place.path);
  change(pointer.at(parent, copy) as Json, last);
  return schemas.map((schema) => (schema === place.document ? copy : schema));
}

/** Removes one assertion from the schemas: a keyword, or one entry of `required`. */
export function removeSite(schemas: readonly JsonObject[], site: Location): JsonObject[] {
  return editSchemaAt(schemas, site, (holder, last) => {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    // Without `minContains` the minimum is 1; without `contains` both bounds are gone.
    else if (isObject(holder) && (last === "minContains" || (last === "contains" && "maxContains" in holder)))
      holder.minContains = 0;
    else if (isObject(holder)) delete holder[last];
  });
}
