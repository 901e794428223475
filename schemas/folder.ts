import { open } from "node:fs/promises";
import { isStandard } from "./dialect.ts";
import { documentOf, type SchemaDocument } from "./document.ts";
import { TouchstoneError } from "./error.ts";
import { filesBeneath, type Limits, readText, shownPath } from "./files.ts";
import { isObject, type Json } from "./json.ts";
import type { Text } from "./place.ts";

/**
 * Every schema beneath a folder, in order of path, but for copies of the meta-schemas that everybody has. Other JSON and YAML is
 * passed over. Throws a usage error for a schema that cannot be read, and when there is none.
 */
export async function schemasBeneath(folder: string, limits: Limits): Promise<SchemaDocument[]> {
  const documents: SchemaDocument[] = [];
  for (const path of await filesBeneath(folder, limits)) {
    const text = await textOf(path, limits);
    if (text !== undefined) documents.push(documentOf(path, shownPath(path), text));
  }
  if (documents.length === 0) {
    throw new TouchstoneError("usage", `there is no schema in the folder "${folder}"`, {
      hint: "a schema names its $schema or $id, or is called NAME.schema.json",
    });
  }
  return documents.filter(({ schema, dialect }) => !isStandard(String(schema[dialect.id]).replace(/#$/, "")));
}

async function textOf(path: string, limits: Limits): Promise<Text | undefined> {
  const isNamed = /\.schema\.\w+$/i.test(path);
  try {
    const text = await readText(path, limits);
    return isNamed || isClaimed(text.value) ? text : undefined;
  } catch (error) {
    if (isNamed || (await isAnnounced(path))) throw error;
    return undefined;
  }
}

function isClaimed(value: Json): boolean {
  if (!isObject(value)) return false;
  const { $schema, $id, $defs } = value;
  return $schema === undefined ? typeof $id === "string" || isObject($defs) : /json-schema\.org/.test(String($schema));
}

/** Whether a text that cannot be read begins like a schema. */
async function isAnnounced(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096);
    return buffer.toString("latin1", 0, bytesRead).includes("json-schema.org/");
  } finally {
    await file.close();
  }
}
