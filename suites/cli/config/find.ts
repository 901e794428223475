import { existsSync } from "node:fs";
import { join } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import { splitConfig } from "./projects.ts";

/** The names under which a configuration is found. */
export const configNames: readonly string[] = ["ts", "mts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `touchstone.config.${extension}`,
);

/** Whether a configuration is text; otherwise it is a module, which runs when it is read. */
export function isConfigData(file: string): boolean {
  return /\.(json|ya?ml)$/i.test(splitConfig(file).file);
}

/** The configuration of a folder, if it has one. Throws a usage error for several. */
export function findConfig(folder: string): string | undefined {
  const [name, ...otherNames] = configNames.filter((name) => existsSync(join(folder, name)));
  if (otherNames.length === 0) return name;
  throw new TouchstoneError(
    "usage",
    `${otherNames.length + 1} configuration files were found, expected one: ${[name, ...otherNames].join(", ")}`,
    {
      where: folder,
      hint: "keep one, or name it with --config FILE",
    },
  );
}
