import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "./home.ts";
import type { JsonObject } from "./json.ts";

/** Reads the schemas of our own formats, by file name without `.schema.json`. */
export function ownSchemas(): Record<string, JsonObject> {
  const folder = join(home, "schemas", "touchstone");
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".schema.json"))
      .sort()
      .map((file) => [
        file.replace(".schema.json", ""),
        JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject,
      ]),
  );
}
