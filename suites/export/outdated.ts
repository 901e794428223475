import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { digestOf, filesIn, type Manifest } from "../../schemas/index.ts";

/** Files of an older export that the new one does not have. */
export interface Outdated {
  /** As they were exported. */
  unchanged: string[];
  /** Changed since. */
  changed: string[];
}

/**
 * The files of an older export in a folder, by its manifest, that are not among the `exported` ones. None where there is no manifest
 * that can be read. A path that leads out of the folder is nobody's export.
 */
export function outdatedIn(folder: string, exported: readonly string[]): Outdated {
  const read = filesIn(folder);
  const found: Outdated = { unchanged: [], changed: [] };
  for (const { path, digest } of listedIn(folder)) {
    const isWithin = typeof path === "string" && !posix.isAbsolute(path) && !/\\|(^|\/)\.\.?(\/|$)/.test(path);
    if (!isWithin || exported.includes(path) || !existsSync(join(folder, path))) continue;
    found[digestOf(read(path)) === digest ? "unchanged" : "changed"].push(path);
  }
  return found;
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
