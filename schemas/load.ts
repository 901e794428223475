import { dirname } from "node:path";
import type { EmbeddedSchema } from "./embedded.ts";
import type { TouchstoneError } from "./error.ts";
import type { LoadedSchemas, LoadOptions } from "./loaded-schemas.ts";
import type { Text } from "./text-place.ts";

/**
 * Loads a schema from a JSON or YAML file, with the schemas of `refs` and the files that references lead to, if these are in the schema's
 * folder or in a given one. Never reads from the network. Throws a usage error that names file, line and column.
 */
export async function loadSchemas(options: LoadOptions): Promise<LoadedSchemas> {
  // Imported only here, since most commands do not load a user's schema.
  const { gatherSchemas } = await import("./gather.ts");
  return gatherSchemas(options);
}

/** Loads several schemas, each as `loadSchemas` does: a file with several named parts is read once. */
export async function loadSeveral(
  schemas: readonly string[],
  options: Omit<LoadOptions, "schema">,
): Promise<LoadedSchemas[]> {
  const { gatherAll } = await import("./gather.ts");
  const files = new Map<string, string[]>();
  for (const schema of schemas) {
    const file = schema.replace(/#.*$/, "");
    files.set(file, [...(files.get(file) ?? []), schema]);
  }
  const loadedByFile = new Map<string, LoadedSchemas>();
  for (const parts of files.values())
    for (const [index, loaded] of (await gatherAll(parts, options)).entries())
      loadedByFile.set(parts[index] as string, loaded);
  return schemas.map((schema) => loadedByFile.get(schema) as LoadedSchemas);
}

/**
 * Returns the schemas that `FILE` or `FILE#/json/pointer` stands for, each in a form for `loadSchemas`: every definition, if the file has
 * only definitions.
 * Throws a usage error for a schema that asserts nothing.
 */
export async function schemasMeant(name: string): Promise<string[]> {
  const definitions = await import("./named-schema.ts");
  return definitions.schemasMeant(name);
}

/** Returns the options with which schemas that are named together (`FILE` or `FILE#/json/pointer`) find each other. Ignores unreadable files. */
export async function besideEachOther(names: readonly string[]): Promise<Pick<LoadOptions, "within" | "named">> {
  const [{ documentNamed }, { addressesOf }] = await Promise.all([import("./named-schema.ts"), import("./folder.ts")]);
  const documentLists = await Promise.all(names.map((name) => documentNamed(name).catch(() => [])));
  const documents = documentLists.flat();
  return { within: [...new Set(documents.map(({ path }) => dirname(path)))], named: addressesOf(documents) };
}

/** Lists the schema files in a folder and its subfolders, in order of path. Throws a usage error if there are none. */
export async function schemaFilesIn(folder: string): Promise<string[]> {
  const { schemasBeneath } = await import("./folder.ts");
  const documents = await schemasBeneath(folder, { files: 10_000, bytes: 10 * 1024 * 1024 });
  return documents.map(({ path }) => path);
}

/**
 * Lists the JSON and YAML files in a folder and its subfolders: paths of schemas and of others, schemas by their own addresses, and errors of
 * unreadable schemas. Throws a usage error if there is no schema, readable or not.
 */
export async function folderContent(
  folder: string,
): Promise<{ schemas: string[]; others: string[]; named: Map<string, string>; faults: TouchstoneError[] }> {
  const { addressesOf, readFolderContent, noSchemaError } = await import("./folder.ts");
  const { schemas, others, faults } = await readFolderContent(folder, { files: 10_000, bytes: 10 * 1024 * 1024 });
  if (schemas.length === 0 && faults.length === 0) throw noSchemaError(folder);
  const pathsByAddress = addressesOf(schemas);
  return { schemas: schemas.map(({ path }) => path), others, named: pathsByAddress, faults };
}

/** Reads a schema leniently from a document that is not itself a schema, such as OpenAPI. It must not refer to other files. Throws a usage error with file and line. */
export async function embeddedSchema(file: string, text: Text): Promise<EmbeddedSchema> {
  const embedded = await import("./embedded.ts");
  return embedded.embeddedSchema(file, text);
}
