import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import type { Json, JsonObject } from "../json.ts";
import { ownSchemas } from "../own-schemas.ts";

/** For tests: the verdicts of two independent validators on a value in one of our formats. */
export interface Judges {
  ajv: (value: Json) => boolean;
  hyperjump: (value: Json) => boolean;
}

const schemas: Record<string, JsonObject> = ownSchemas();

/**
 * Ajv is strict, except for two things that our formats use on purpose: a value of one of two types (an error code), and
 * `required` in the branches of a choice, with the properties beside the choice.
 */
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, ownProperties: true });
formatsPlugin.default(ajv);
for (const schema of Object.values(schemas)) {
  ajv.addSchema(schema);
  registerSchema(schema as Parameters<typeof registerSchema>[0]);
}

/** For tests: compiles a format, or one definition of it. Throws if a validator cannot. */
export async function judgesOf(format: string, definition = ""): Promise<Judges> {
  const id = `${schemas[format]?.$id}${definition === "" ? "" : `#/$defs/${definition}`}`;
  const own = ajv.getSchema(id);
  if (own === undefined) throw new Error(`there is no schema ${id}`);
  const other = await validate(id);
  return {
    ajv: (value) => own(value) === true,
    hyperjump: (value) => other(value as Parameters<typeof other>[0]).valid,
  };
}
