import { dirname, join, relative, resolve, sep } from "node:path";
import { home } from "../../../schemas/index.ts";

/** The address of a format's schema as a file refers to it, so that editors find it. */
export function addressOf(format: string, file: string): string {
  const schema = join(home, "schemas", "touchstone", `${format}.schema.json`);
  const path = relative(dirname(resolve(file)), schema)
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
