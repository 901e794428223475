import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's root folder, whether this runs from source or from the build. */
export const home: string = findHome(import.meta.dirname);

const vectorsBeside = join(import.meta.dirname, "..", "vectors");

/** The built-in vector set. The package has it beside the compiled code, compressed. */
export const ownVectors: string = existsSync(vectorsBeside) ? vectorsBeside : join(home, "vectors");

/** The package's version. */
export const version: string = JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version;

function findHome(folder: string): string {
  const file = join(folder, "package.json");
  if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === "touchstone") return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no package.json of touchstone above ${import.meta.dirname}`);
  return findHome(parent);
}
