import { isObject, type Json, type JsonObject, pointer, type Reason } from "../../../../schemas/index.ts";
import { followReference, type Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

export const closedObjects: Variant = {
  name: "closed-objects",
  description: "refuses members that an open object does not declare",
  touches: ({ type, properties, additionalProperties }) =>
    type === "object" && isObject(properties) && additionalProperties === undefined,
  around: (judge, locations) => (document, value) => {
    const reasons = judge(document, value);
    const root = locations.at.get(`${document.schema}#`);
    return reasons.length > 0 || root === undefined ? reasons : findUndeclared([root], value, "", locations);
  },
};

/** One reason for each member that no schema for its object names. Maps, which name no members, stay open. */
function findUndeclared(schemas: readonly JsonObject[], value: Json, at: string, locations: Locations): Reason[] {
  const here = new Set<JsonObject>();
  for (const schema of schemas) gather(schema, here, locations);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      findUndeclared(
        [...here].flatMap((schema) => forItem(schema, index)),
        item,
        pointer.append(at, index),
        locations,
      ),
    );
  }
  if (!isObject(value)) return [];
  const closed = [...here].some((schema) => isObject(schema.properties));
  return Object.entries(value).flatMap(([name, member]) => {
    const theirs = [...here].flatMap((schema) => forMember(schema, name));
    if (closed && theirs.length === 0) {
      return [
        { at, keyword: "additionalProperties", message: `must not have the undeclared member ${JSON.stringify(name)}` },
      ];
    }
    return findUndeclared(theirs.filter(isObject), member, pointer.append(at, name), locations);
  });
}

/** Collects all schemas that may apply to the same value. */
function gather(schema: Json | undefined, into: Set<JsonObject>, locations: Locations): void {
  if (!isObject(schema) || into.has(schema)) return;
  into.add(schema);
  gather(followReference(schema, locations), into, locations);
  for (const keyword of ["if", "then", "else"]) gather(schema[keyword], into, locations);
  for (const keyword of ["allOf", "anyOf", "oneOf", "dependentSchemas"]) {
    for (const each of Object.values((schema[keyword] ?? {}) as JsonObject)) gather(each, into, locations);
  }
}

function forItem({ prefixItems, items, contains }: JsonObject, index: number): JsonObject[] {
  const own = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
  return [own, contains].filter(isObject);
}

/** The schemas for a member; `true` counts as one, `false` declares nothing. */
function forMember(schema: JsonObject, name: string): Json[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const found: (Json | undefined)[] = [];
  if (isObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]);
  for (const [pattern, schema] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
    if (new RegExp(pattern, "u").test(name)) found.push(schema);
  }
  if (found.length === 0) found.push(additionalProperties ?? unevaluatedProperties);
  return found.filter((schema) => schema !== undefined && schema !== false);
}
