import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { digestOf, filesIn, type Manifest } from "../../schemas/index.ts";

/**
 * The files of an older export in a folder, by its manifest: those that `kept` lacks and that nobody has changed since. None where
 * there is no manifest that can be read. A path that leads out of the folder is nobody's export.
 */
export function outdatedIn(folder: string, kept: readonly string[]): string[] {
  const read = filesIn(folder);
  return listedIn(folder).flatMap(({ path, digest }) => {
    const isWithin = typeof path === "string" && !posix.isAbsolute(path) && !/\\|(^|\/)\.\.?(\/|$)/.test(path);
    return isWithin && !kept.includes(path) && existsSync(join(folder, path)) && digestOf(read(path)) === digest
      ? [path]
      : [];
  });
}

function listedIn(folder: string): Manifest["files"] {
  try {
    const { files } = JSON.parse(filesIn(folder)("MANIFEST.json").toString("utf8")) as Partial<Manifest>;
    return Array.isArray(files) ? files : [];
  } catch {
    return [];
  }
}

/** Removes files of a folder, and the folders beneath it that are empty then. */
export function removeAll(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(join(folder, path));
    for (let at = dirname(path); at !== "." && readdirSync(join(folder, at)).length === 0; at = dirname(at))
      rmdirSync(join(folder, at));
  }
}
