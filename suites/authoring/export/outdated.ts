import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import {
  digestOf,
  filesIn,
  isObject,
  jsonOf,
  type Manifest,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { pages } from "./accompanying-files.ts";
import type { ExportedFile } from "./format.ts";
import { sumsFile, sumsIn } from "./sums.ts";

/** Files that are in a folder before an export. */
export interface Outdated {
  /** Unchanged files of an older export that the new one does not have. */
  unchanged: string[];
  /** Such files that were changed since. */
  changed: string[];
  /** Paths of the new export with an existing file that no earlier export wrote. */
  overwritten: string[];
  /** Paths beside the new export's vectors with an existing file that no earlier export wrote. These are not overwritten. */
  kept: string[];
}

const manifestFile = "MANIFEST.json";

/** The files of an older export in a folder, by its manifest, and of the `exported` ones. A path out of the folder belongs to no export. Throws a usage error for a foreign manifest, which the export would overwrite. */
export function findOutdated(folder: string, exported: readonly ExportedFile[]): Outdated {
  const read = filesIn(folder);
  const vectors = listedIn(folder);
  const listedFiles = vectors === undefined ? [] : findUnlisted(vectors, sumsIn(folder));
  const outdated: Outdated = { unchanged: [], changed: [], overwritten: [], kept: [] };
  const paths = new Set(exported.map(({ path }) => path));
  for (const { path, digest } of listedFiles) {
    const isWithin = typeof path === "string" && !posix.isAbsolute(path) && !/\\|(^|\/)\.\.?(\/|$)/.test(path);
    if (!isWithin || paths.has(path) || !existsSync(join(folder, path))) continue;
    outdated[digestOf(read(path)) === digest ? "unchanged" : "changed"].push(path);
  }
  const knownDigests = new Map(listedFiles.map(({ path, digest }) => [path, digest]));
  for (const { path, text, vectors: count, isBeside } of exported) {
    // Exports from before there were checksums list neither their manifest nor their former ids. No export lists its checksums.
    const isNeverListed = path === sumsFile || (count === 0 && isBeside !== true);
    if (!existsSync(join(folder, path)) || (vectors !== undefined && isNeverListed && !knownDigests.has(path)))
      continue;
    const currentDigest = digestOf(read(path));
    if (currentDigest === knownDigests.get(path) || currentDigest === digestOf(text)) continue;
    outdated[isBeside === true ? "kept" : "overwritten"].push(path);
  }
  return outdated;
}

/** The files in a manifest and in the checksums. The checksums count only in folders that exports write, since users may keep checksums in their own folders. */
function findUnlisted(
  vectors: Manifest["files"],
  sums: readonly { path: string; digest: string }[],
): { path: string; digest: string }[] {
  const vectorPaths = new Set(vectors.map(({ path }) => path));
  const folders = ["touchstone", ...vectors.map(({ protocol, version }) => `${protocol}/${version}`)];
  const isOurs = (path: string): boolean =>
    path in pages ||
    path === manifestFile ||
    path === "aliases.json" ||
    folders.some((folder) => path.startsWith(`schemas/${folder}/`));
  return [...vectors, ...sums.filter(({ path }) => !vectorPaths.has(path) && isOurs(path))];
}

/** The files of an older export; undefined if there is none. */
function listedIn(folder: string): Manifest["files"] | undefined {
  if (!existsSync(join(folder, manifestFile))) return undefined;
  const manifest = jsonOf(filesIn(folder)(manifestFile).toString("utf8"));
  if (isObject(manifest) && String(manifest.$schema).endsWith("/manifest.schema.json") && Array.isArray(manifest.files))
    return manifest.files as unknown as Manifest["files"];
  throw new TouchstoneError("usage", `${shownPath(join(folder, manifestFile))} is not a manifest of vectors`, {
    hint: "an export would overwrite it: name an empty folder with --out, or remove that file if an older export was damaged",
  });
}

/** Removes files of a folder, and subfolders that are empty then. */
export function removeAll(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(join(folder, path));
    for (let at = dirname(path); at !== "." && readdirSync(join(folder, at)).length === 0; at = dirname(at))
      rmdirSync(join(folder, at));
  }
}
