import { compileAjv } from "../../../../generators/index.ts";
import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { extensionsOf, nameOf } from "./event.ts";

/** An event that uses extensions, compared with their published definitions. */
export const publishedCheckers: readonly Checker[] = [
  {
    rule: "AAEP-EXT-005",
    documents: ["extension-use"],
    *check(record) {
      const { event, event_schema: whole, data_schemas: parts } = isObject(record) ? record : {};
      if (!isObject(event)) return;
      if (whole !== undefined && nameOf(event) === undefined && isRefused(whole, event))
        yield { at: "/event", why: "is not valid under the schema of its extension" };
      for (const [prefix, data] of Object.entries(extensionsOf(event))) {
        const schema = isObject(parts) && Object.hasOwn(parts, prefix) ? parts[prefix] : undefined;
        if (schema !== undefined && isRefused(schema, data))
          yield {
            at: pointer.append("/event/extensions", prefix),
            why: "is not valid under the schema of its extension",
          };
      }
    },
  },
];

const home = "https://touchstone.example/extension";

/** Whether a schema refuses a value. A schema that cannot be compiled, or needs another one, refuses nothing. */
function isRefused(schema: Json, value: Json): boolean {
  if (typeof schema === "boolean") return !schema;
  if (!isObject(schema)) return false;
  const named: JsonObject = { ...schema, $id: home };
  try {
    return !compileAjv([named], home, "lenient")(value);
  } catch {
    return false;
  }
}
