import { isObject, type Json, type JsonObject, pointer, type Reason } from "../../../../schemas/index.ts";
import { followReference, type Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

export const closedObjects: Variant = {
  name: "closed-objects",
  description: "refuses members that an open object does not declare",
  affects: ({ type, properties, additionalProperties }) =>
    type === "object" && isObject(properties) && additionalProperties === undefined,
  wrapJudge: (judge, locations) => (document, value) => {
    const reasons = judge(document, value);
    const root = locations.schemasByLocation.get(`${document.schema}#`);
    return reasons.length > 0 || root === undefined ? reasons : findUndeclared([root], value, "", locations);
  },
};

/** One reason for each member that no schema for its object declares. Maps, which declare no members, stay open. */
function findUndeclared(schemas: readonly JsonObject[], value: Json, at: string, locations: Locations): Reason[] {
  const applicable = new Set<JsonObject>();
  for (const schema of schemas) collectApplicable(schema, applicable, locations);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      findUndeclared(
        [...applicable].flatMap((schema) => schemasForItem(schema, index)),
        item,
        pointer.append(at, index),
        locations,
      ),
    );
  }
  if (!isObject(value)) return [];
  const declaresMembers = [...applicable].some((schema) => isObject(schema.properties));
  return Object.entries(value).flatMap(([name, member]) => {
    const memberSchemas = [...applicable].flatMap((schema) => schemasForMember(schema, name));
    if (declaresMembers && memberSchemas.length === 0) {
      return [
        { at, keyword: "additionalProperties", message: `must not have the undeclared member ${JSON.stringify(name)}` },
      ];
    }
    return findUndeclared(memberSchemas.filter(isObject), member, pointer.append(at, name), locations);
  });
}

/** Collects all schemas that may apply to the same value. */
function collectApplicable(schema: Json | undefined, applicable: Set<JsonObject>, locations: Locations): void {
  if (!isObject(schema) || applicable.has(schema)) return;
  applicable.add(schema);
  collectApplicable(followReference(schema, locations), applicable, locations);
  for (const keyword of ["if", "then", "else"]) collectApplicable(schema[keyword], applicable, locations);
  for (const keyword of ["allOf", "anyOf", "oneOf", "dependentSchemas"]) {
    for (const subschema of Object.values((schema[keyword] ?? {}) as JsonObject))
      collectApplicable(subschema, applicable, locations);
  }
}

function schemasForItem({ prefixItems, items, contains }: JsonObject, index: number): JsonObject[] {
  const itemSchema = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
  return [itemSchema, contains].filter(isObject);
}

/** The schemas for a member; `true` counts as one, `false` declares nothing. */
function schemasForMember(schema: JsonObject, name: string): Json[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const declarations: (Json | undefined)[] = [];
  if (isObject(properties) && Object.hasOwn(properties, name)) declarations.push(properties[name]);
  for (const [pattern, schema] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
    if (new RegExp(pattern, "u").test(name)) declarations.push(schema);
  }
  if (declarations.length === 0) declarations.push(additionalProperties ?? unevaluatedProperties);
  return declarations.filter((schema) => schema !== undefined && schema !== false);
}
