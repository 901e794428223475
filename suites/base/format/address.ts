import { dirname, join, relative, resolve, sep } from "node:path";
import { home } from "../../../schemas/index.ts";

/** Returns the relative path from a file to the schema of its format, for `$schema`: editors validate the file with it. */
export function schemaPathFrom(format: string, file: string): string {
  const schema = join(home, "schemas", "touchstone", `${format}.schema.json`);
  const path = relative(dirname(resolve(file)), schema)
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
