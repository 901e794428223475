import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../../../schemas/index.ts";

const options = { strict: false, validateFormats: false, logger: false } as const;
const editions = [
  { named: /2020-12\/schema#?$/, ajv: new Ajv2020(options) },
  { named: /2019-09\/schema#?$/, ajv: new Ajv2019(options) },
  { named: /draft-07\/schema#?$/, ajv: new Ajv(options) },
] as const;

/**
 * Whether a value is a JSON Schema, by the edition that it names or by 2020-12. `older` if only an older edition accepts it, `named` if it
 * names 2020-12 anyway, `unknown` if it names no known edition.
 */
export function isSchema({ $schema, ...schema }: JsonObject): boolean | "older" | "named" | "unknown" {
  const fits = editions.map(({ ajv }) => acceptsSchema(ajv, schema));
  const editionIndex = editions.findIndex(({ named: form }) => typeof $schema === "string" && form.test($schema));
  if ($schema !== undefined && editionIndex < 0) return "unknown";
  if (fits[Math.max(0, editionIndex)] === true) return true;
  if (editionIndex > 0 || !fits.includes(true)) return false;
  return editionIndex === 0 ? "named" : "older";
}

function acceptsSchema(ajv: Ajv | Ajv2019 | Ajv2020, schema: JsonObject): boolean {
  try {
    return ajv.validateSchema(schema) === true;
  } catch {
    return false;
  }
}
