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
import { checksumsFile, readChecksums } from "./sums.ts";

/** Files that are in a folder before an export. */
export interface Outdated {
  /** Unchanged files of an older export that the new one does not have. */
  unchanged: string[];
  /** Files of an older export that were changed later, and that the new export does not have. */
  changed: string[];
  /** Paths of the new export with an existing file that no earlier export wrote. */
  overwritten: string[];
  /** Paths beside the new export's vectors with an existing file that no earlier export wrote. These are not overwritten. */
  kept: string[];
}

const manifestFile = "MANIFEST.json";

/** Compares a folder with the files of a new export, using the manifest of the older export. Ignores paths that lead out of the folder. Throws a usage error for a foreign manifest, which the export would overwrite. */
export function findOutdated(folder: string, newFiles: readonly ExportedFile[]): Outdated {
  const readOldFile = filesIn(folder);
  const vectors = readListedFiles(folder);
  const listedFiles = vectors === undefined ? [] : mergeListed(vectors, readChecksums(folder));
  const outdated: Outdated = { unchanged: [], changed: [], overwritten: [], kept: [] };
  const paths = new Set(newFiles.map(({ path }) => path));
  for (const { path, digest } of listedFiles) {
    // Without backslashes, and without steps such as `.` and `..`.
    const isWithin = typeof path === "string" && !posix.isAbsolute(path) && !/\\|(^|\/)\.\.?(\/|$)/.test(path);
    if (!isWithin || paths.has(path) || !existsSync(join(folder, path))) continue;
    outdated[digestOf(readOldFile(path)) === digest ? "unchanged" : "changed"].push(path);
  }
  const knownDigests = new Map(listedFiles.map(({ path, digest }) => [path, digest]));
  for (const { path, text, vectors: count, isAccompanying } of newFiles) {
    // Exports without checksums list neither their manifest nor their former ids, and no export lists its checksums.
    const isNeverListed = path === checksumsFile || (count === 0 && isAccompanying !== true);
    if (!existsSync(join(folder, path)) || (vectors !== undefined && isNeverListed && !knownDigests.has(path)))
      continue;
    const currentDigest = digestOf(readOldFile(path));
    if (currentDigest === knownDigests.get(path) || currentDigest === digestOf(text)) continue;
    outdated[isAccompanying === true ? "kept" : "overwritten"].push(path);
  }
  return outdated;
}

/** Merges the files of a manifest with those of the checksums. Checksums of paths that no export writes are ignored, since they are the user's. */
function mergeListed(
  vectors: Manifest["files"],
  sums: readonly { path: string; digest: string }[],
): { path: string; digest: string }[] {
  const vectorPaths = new Set(vectors.map(({ path }) => path));
  const folders = ["touchstone", ...vectors.map(({ protocol, version }) => `${protocol}/${version}`)];
  const isExported = (path: string): boolean =>
    path in pages ||
    path === manifestFile ||
    path === "aliases.json" ||
    folders.some((folder) => path.startsWith(`schemas/${folder}/`));
  return [...vectors, ...sums.filter(({ path }) => !vectorPaths.has(path) && isExported(path))];
}

/** The files of an older export; undefined if there is none. */
function readListedFiles(folder: string): Manifest["files"] | undefined {
  if (!existsSync(join(folder, manifestFile))) return undefined;
  const manifest = jsonOf(filesIn(folder)(manifestFile).toString("utf8"));
  if (isObject(manifest) && String(manifest.$schema).endsWith("/manifest.schema.json") && Array.isArray(manifest.files))
    return manifest.files as unknown as Manifest["files"];
  throw new TouchstoneError("usage", `${shownPath(join(folder, manifestFile))} is not a manifest of vectors`, {
    hint: "an export would overwrite it: name an empty folder with --out, or remove that file if an older export was damaged",
  });
}

/** Removes files of a folder, and subfolders that are empty then. */
export function removeFiles(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(join(folder, path));
    const isEmpty = (subfolder: string): boolean => readdirSync(join(folder, subfolder)).length === 0;
    for (let parent = dirname(path); parent !== "." && isEmpty(parent); parent = dirname(parent))
      rmdirSync(join(folder, parent));
  }
}
