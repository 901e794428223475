import { compileAjv } from "../../../../generators/index.ts";
import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { extensionsOf, nameOf } from "./event.ts";

/** Checks that an event is valid under the published schemas of its extensions. */
export const publishedCheckers: readonly Checker[] = [
  {
    rule: "AAEP-EXT-005",
    documents: ["extension-use"],
    *check(record) {
      const { event, event_schema: eventSchema, data_schemas: dataSchemas } = isObject(record) ? record : {};
      if (!isObject(event)) return;
      if (eventSchema !== undefined && nameOf(event) === undefined && isRejected(eventSchema, event))
        yield { at: "/event", why: "is not valid under the schema of its extension" };
      for (const [prefix, data] of Object.entries(extensionsOf(event))) {
        const schema = isObject(dataSchemas) && Object.hasOwn(dataSchemas, prefix) ? dataSchemas[prefix] : undefined;
        if (schema !== undefined && isRejected(schema, data))
          yield {
            at: pointer.append("/event/extensions", prefix),
            why: "is not valid under the schema of its extension",
          };
      }
    },
  },
];

const schemaId = "https://touchstone.example/extension";

/** Whether a schema rejects a value. A schema that cannot be compiled, for example because it needs another one, accepts every value. */
function isRejected(schema: Json, value: Json): boolean {
  if (typeof schema === "boolean") return !schema;
  if (!isObject(schema)) return false;
  const schemaWithId: JsonObject = { ...schema, $id: schemaId };
  try {
    return !compileAjv([schemaWithId], schemaId, "lenient")(value);
  } catch {
    return false;
  }
}
