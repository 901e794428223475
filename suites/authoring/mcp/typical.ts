import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { makerOf } from "../openapi/samples.ts";

/**
 * Inputs in which each member that may have several types has the first of them, if the schema has such members. The first input has only the required members, the
 * second has all. Tools that publish `["boolean", "string"]` often accept only some texts. Without these inputs no valid input would be accepted, and a refusal would
 * show nothing. Empty if there are no such members.
 */
export async function sampleInputs(schema: JsonObject): Promise<Json[]> {
  const narrowed = narrowSchema(schema);
  if (narrowed === schema || !isObject(narrowed) || !isObject(narrowed.properties)) return [];
  const { properties } = narrowed;
  const needed = Array.isArray(narrowed.required) ? narrowed.required.map(String) : [];
  const neededProperties = Object.fromEntries(Object.entries(properties).filter(([name]) => needed.includes(name)));
  const wishes: JsonObject[] = [
    { ...narrowed, properties: neededProperties, additionalProperties: false },
    { ...narrowed, required: Object.keys(properties), additionalProperties: false },
  ];
  const instances: Json[] = [];
  for (const wish of wishes) {
    const instance = (await makerOf(wish)).any();
    if (instance !== undefined) instances.push(instance);
  }
  return instances;
}

/** A narrower schema, changed only at places that assert by themselves. The same schema if nothing can be narrowed. */
function narrowSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { type, properties, items } = schema;
  const first = Array.isArray(type) && type.length > 1 ? type.find((each) => each !== "null") : undefined;
  const members = isObject(properties)
    ? Object.entries(properties).map(([name, each]) => [name, narrowSchema(each)] as const)
    : [];
  const isSame = members.every(([name, each]) => each === (properties as JsonObject)[name]);
  const item = items === undefined ? items : narrowSchema(items);
  if (first === undefined && isSame && item === items) return schema;
  return {
    ...schema,
    ...(first === undefined ? {} : { type: first }),
    ...(isSame ? {} : { properties: Object.fromEntries(members) }),
    ...(item === undefined ? {} : { items: item }),
  };
}
