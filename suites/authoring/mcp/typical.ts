import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { makerOf } from "../openapi/samples.ts";

/**
 * Makes inputs for a schema with members of several types: each such member has its first type. The first input has only the required
 * members, the second has all. Tools that publish `["boolean", "string"]` often accept only some strings. Without these inputs, they
 * would refuse all valid input, and the refusal of invalid input would show nothing. Empty if there are no such members.
 */
export async function sampleInputs(schema: JsonObject): Promise<Json[]> {
  const narrowed = narrowSchema(schema);
  if (narrowed === schema || !isObject(narrowed) || !isObject(narrowed.properties)) return [];
  const { properties } = narrowed;
  const requiredNames = Array.isArray(narrowed.required) ? narrowed.required.map(String) : [];
  const requiredProperties = Object.fromEntries(
    Object.entries(properties).filter(([name]) => requiredNames.includes(name)),
  );
  const inputSchemas: JsonObject[] = [
    { ...narrowed, properties: requiredProperties, additionalProperties: false },
    { ...narrowed, required: Object.keys(properties), additionalProperties: false },
  ];
  const instances: Json[] = [];
  for (const inputSchema of inputSchemas) {
    const instance = (await makerOf(inputSchema)).any();
    if (instance !== undefined) instances.push(instance);
  }
  return instances;
}

/** Reduces each list of types to its first type, except within combined schemas. Returns the same schema if nothing changes. */
function narrowSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { type, properties, items } = schema;
  const firstType = Array.isArray(type) && type.length > 1 ? type.find((name) => name !== "null") : undefined;
  const members = isObject(properties)
    ? Object.entries(properties).map(([name, member]) => [name, narrowSchema(member)] as const)
    : [];
  const isSame = members.every(([name, member]) => member === (properties as JsonObject)[name]);
  const item = items === undefined ? items : narrowSchema(items);
  if (firstType === undefined && isSame && item === items) return schema;
  return {
    ...schema,
    ...(firstType === undefined ? {} : { type: firstType }),
    ...(isSame ? {} : { properties: Object.fromEntries(members) }),
    ...(item === undefined ? {} : { items: item }),
  };
}
