import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { identifier } from "../model/compile.ts";

const addFormats = formatsPlugin.default;

/** Strict, except where the published schemas could not be compiled; own members only, so that `toString` is no member. */
export const options: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  ownProperties: true,
  validateFormats: true,
};

/** Compiles a schema with Ajv, formats asserted. `lenient` accepts unknown keywords and formats, as foreign schemas have them. */
export function compileAjv(schemas: readonly JsonObject[], id: string, lenient = false): (instance: Json) => boolean {
  const dialect = String(schemas.find((schema) => identifier(schema) === id)?.$schema ?? "");
  const settings = lenient ? { ...options, strict: false, logger: false as const } : options;
  const ajv =
    dialect.includes("draft-07") || dialect.includes("draft-06")
      ? new Ajv(settings)
      : dialect.includes("2019-09")
        ? new Ajv2019(settings)
        : new Ajv2020(settings);
  addFormats(ajv);
  for (const schema of schemas) ajv.addSchema(schema);
  const validate = ajv.getSchema(id) as ValidateFunction | undefined;
  if (validate === undefined) throw new Error(`Ajv has no schema ${id}`);
  return (instance) => validate(instance) === true;
}
