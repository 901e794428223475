import type { LoadedSchemas, LoadOptions } from "./loaded.ts";

/**
 * Loads a schema from a JSON or YAML file, with the given ones and with the files that references lead to, as long as these lie in
 * the schema's folder or in a given one. Never reads from the network. Throws a usage error that names file, line and column.
 */
export async function loadSchemas(options: LoadOptions): Promise<LoadedSchemas> {
  // Most commands load no schema of a user's.
  const { gather } = await import("./gather.ts");
  return gather(options);
}
