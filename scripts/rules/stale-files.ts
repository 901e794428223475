import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtTexts, hasFamilies, protocolsNamed } from "../../schemas/index.ts";

/** A built file that is missing or outdated, with the text that it should have. */
export interface StaleFile {
  file: string;
  text: string;
}

/** Finds built files that differ from the rules in YAML. Throws a usage error with file and line for invalid rules. */
export function staleFiles(
  folders: readonly string[] = protocolsNamed("all").map(({ folder }) => folder),
): StaleFile[] {
  return folders
    .filter(hasFamilies)
    .flatMap((folder) => [...builtTexts(folder)].map(([name, text]) => ({ file: join(folder, name), text })))
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, "utf8") !== text);
}
