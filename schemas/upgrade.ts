import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dialects } from "./dialect.ts";
import { home } from "./home.ts";
import type { JsonObject } from "./json.ts";

const draft07 = dialects.find(({ name }) => name === "draft-07")?.uri as string;
const metaSchemaUri = dialects.find(({ name }) => name === "draft-04")?.uri as string;
/** Our own name for the meta-schema: validators with draft-04 built in reject a second schema with its name. */
const ownMetaSchemaUri = "schema:/json-schema.org/draft-04";

/** Keywords of later drafts, which draft-04 does not know. */
const laterKeywords = ["const", "contains", "propertyNames", "if", "then", "else", "$id"];

/** Converts one schema object of draft-04 to draft-07, in place and with the same meaning. Returns the removed keywords, which have no meaning in draft-04. */
export function upgradeSchema(schema: JsonObject): string[] {
  const removed = laterKeywords.filter((keyword) => Object.hasOwn(schema, keyword));
  for (const keyword of removed) delete schema[keyword];
  if (typeof schema.id === "string") {
    schema.$id = schema.id;
    delete schema.id;
  }
  if (typeof schema.$schema === "string") schema.$schema = `${draft07}#`;
  if (typeof schema.$ref === "string") schema.$ref = useOwnMetaSchema(schema.$ref);
  convertExclusive(schema, "minimum", "exclusiveMinimum");
  convertExclusive(schema, "maximum", "exclusiveMaximum");
  return removed;
}

/** Converts the boolean of draft-04 that makes a bound exclusive. */
function convertExclusive(schema: JsonObject, bound: string, keyword: string): void {
  const flag = schema[keyword];
  if (typeof flag !== "boolean") return;
  delete schema[keyword];
  if (!flag || schema[bound] === undefined) return;
  schema[keyword] = schema[bound];
  delete schema[bound];
}

function useOwnMetaSchema(reference: string): string {
  return reference.startsWith(`${metaSchemaUri}#`) || reference === metaSchemaUri
    ? `${ownMetaSchemaUri}${reference.slice(metaSchemaUri.length)}`
    : reference;
}

/** The meta-schema of draft-04 in draft-07, for references to it. */
export function metaSchema04(): JsonObject {
  const schema = JSON.parse(readFileSync(join(home, "schemas", "draft-04.json"), "utf8")) as JsonObject;
  return { ...schema, $id: ownMetaSchemaUri };
}
