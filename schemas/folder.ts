import { open } from "node:fs/promises";
import { isStandard } from "./dialect.ts";
import { documentOf, type SchemaDocument } from "./document.ts";
import { TouchstoneError } from "./error.ts";
import { filesBeneath, type ReadLimits, readText, shownPath } from "./files.ts";
import { isObject, type Json } from "./json.ts";
import type { Text } from "./text-place.ts";

/** The JSON and YAML files beneath a folder, sorted by path. */
export interface FolderContent {
  /** The schemas, without copies of the standard meta-schemas. */
  schemas: SchemaDocument[];
  /** Paths of files that do not declare a schema. */
  others: string[];
  /** The errors of unreadable schemas. */
  faults: TouchstoneError[];
}

/** Reads the JSON and YAML files beneath a folder. Throws a usage error if the folder itself cannot be read. */
export async function readFolderContent(folder: string, limits: ReadLimits): Promise<FolderContent> {
  const content: FolderContent = { schemas: [], others: [], faults: [] };
  for (const path of await filesBeneath(folder, limits)) {
    try {
      const text = await textOf(path, limits);
      if (text === undefined) content.others.push(path);
      else content.schemas.push(documentOf(path, shownPath(path), text));
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      content.faults.push(error);
    }
  }
  return { ...content, schemas: content.schemas.filter((document) => !isCopy(document)) };
}

/** Paths of schemas by their own absolute `$id`. */
export function addressesOf(documents: readonly SchemaDocument[]): Map<string, string> {
  const pathsByAddress = new Map<string, string>();
  for (const { schema, dialect, path } of documents) {
    const id = schema[dialect.id];
    const address = typeof id === "string" && URL.canParse(id) ? new URL(id.replace(/#$/, "")).href : undefined;
    if (address !== undefined && !pathsByAddress.has(address)) pathsByAddress.set(address, path);
  }
  return pathsByAddress;
}

function isCopy({ schema, dialect }: SchemaDocument): boolean {
  return isStandard(String(schema[dialect.id]).replace(/#$/, ""));
}

/**
 * Reads every schema beneath a folder, in order of path, without copies of the standard meta-schemas. Skips other JSON and YAML.
 * Throws a usage error for an unreadable schema, and for a folder without schemas.
 */
export async function schemasBeneath(folder: string, limits: ReadLimits): Promise<SchemaDocument[]> {
  const { schemas, faults } = await readFolderContent(folder, limits);
  const [fault] = faults;
  if (fault !== undefined) throw fault;
  if (schemas.length === 0) throw noSchemaError(folder);
  return schemas;
}

export function noSchemaError(folder: string): TouchstoneError {
  return new TouchstoneError("usage", `there is no schema in the folder "${folder}"`, {
    hint: "a schema names its $schema or $id, or is called NAME.schema.json",
  });
}

async function textOf(path: string, limits: ReadLimits): Promise<Text | undefined> {
  const isNamed = /\.schema\.\w+$/i.test(path);
  try {
    const text = await readText(path, limits);
    return isNamed || looksLikeSchema(text.value) ? text : undefined;
  } catch (error) {
    if (isNamed || (await beginsLikeSchema(path))) throw error;
    return undefined;
  }
}

function looksLikeSchema(value: Json): boolean {
  if (!isObject(value)) return false;
  const { $schema, $id, $defs } = value;
  return $schema === undefined ? typeof $id === "string" || isObject($defs) : /json-schema\.org/.test(String($schema));
}

/** Whether the beginning of an unreadable file looks like a schema. */
async function beginsLikeSchema(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096);
    return buffer.toString("latin1", 0, bytesRead).includes("json-schema.org/");
  } finally {
    await file.close();
  }
}
