import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../../../schemas/index.ts";

const options = { strict: false, validateFormats: false, logger: false } as const;
const editions = [
  { schemaUri: /2020-12\/schema#?$/, ajv: new Ajv2020(options) },
  { schemaUri: /2019-09\/schema#?$/, ajv: new Ajv2019(options) },
  { schemaUri: /draft-07\/schema#?$/, ajv: new Ajv(options) },
] as const;

/**
 * Whether a value is a valid JSON Schema of the edition in `$schema`, or of 2020-12 by default. `older` if only an older edition
 * accepts it, `named` if `$schema` names 2020-12 as well, `unknown` if `$schema` names an unknown edition.
 */
export function isSchema({ $schema, ...schema }: JsonObject): boolean | "older" | "named" | "unknown" {
  const acceptances = editions.map(({ ajv }) => acceptsSchema(ajv, schema));
  const editionIndex = editions.findIndex(({ schemaUri }) => typeof $schema === "string" && schemaUri.test($schema));
  if ($schema !== undefined && editionIndex < 0) return "unknown";
  if (acceptances[Math.max(0, editionIndex)] === true) return true;
  if (editionIndex > 0 || !acceptances.includes(true)) return false;
  return editionIndex === 0 ? "named" : "older";
}

function acceptsSchema(ajv: Ajv | Ajv2019 | Ajv2020, schema: JsonObject): boolean {
  try {
    return ajv.validateSchema(schema) === true;
  } catch {
    return false;
  }
}
