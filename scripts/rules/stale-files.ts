import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtTexts, hasFamilies, protocolsNamed } from "../../schemas/index.ts";

/** A file that the build makes of rules and that is not as they make it. */
export interface StaleFile {
  file: string;
  text: string;
}

/** Built files that differ from the rules in YAML. Throws a usage error with file and line for wrong rules. */
export function staleFiles(
  folders: readonly string[] = protocolsNamed("all").map(({ folder }) => folder),
): StaleFile[] {
  return folders
    .filter(hasFamilies)
    .flatMap((folder) => [...builtTexts(folder)].map(([name, text]) => ({ file: join(folder, name), text })))
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, "utf8") !== text);
}
