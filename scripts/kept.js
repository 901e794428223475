// Keeps files that are made from the sources, until one of these sources changes.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const home = dirname(dirname(fileURLToPath(import.meta.url)));
/** The number of folders to keep, besides those in use: one for the current sources, and one for another branch. */
const maxFolders = 2;

/** The files in some folders that are compiled, or read by compiled files. The order is the same on every machine. */
export function sourcesOf(folders, isSource = /(?<!\.test|\.fixture)\.(ts|js|css|html)$/) {
  return folders.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => isSource.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
}

/**
 * The folder that `make(partialFolder, target)` fills. It writes into `partialFolder`, which is then renamed to `target`, so that a concurrent
 * process sees only a complete folder. Reuses an earlier folder if neither `key` nor any of `sources` has changed. Undefined if `make` returns
 * false.
 */
export async function keepFolder(kind, key, sources, make) {
  const cache = join(home, "node_modules", ".cache", "touchstone", kind);
  const hash = createHash("sha256").update(`${key}\n`);
  for (const name of ["package-lock.json", ...sources]) hash.update(`${name}\n`).update(readFileSync(join(home, name)));
  const target = join(cache, hash.digest("hex").slice(0, 16));
  mkdirSync(cache, { recursive: true });
  markUsed(target);
  if (existsSync(target)) {
    touch(target);
    return target;
  }
  const partialFolder = `${target}.${process.pid}`;
  mkdirSync(partialFolder, { recursive: true });
  const isComplete = await make(partialFolder, target);
  if (isComplete && !existsSync(target)) rename(partialFolder, target);
  rmSync(partialFolder, { recursive: true, force: true });
  removeOldFolders(cache);
  return isComplete ? target : undefined;
}

function removeOldFolders(cache) {
  const age = (name) => statSync(join(cache, name)).mtimeMs;
  const names = readdirSync(cache);
  const usedFolders = new Set(names.flatMap((name) => folderInUse(cache, name)));
  const folders = names.filter((name) => /^[0-9a-f]+$/.test(name));
  for (const oldFolder of folders.sort((a, b) => age(b) - age(a)).slice(maxFolders))
    if (!usedFolders.has(oldFolder)) rmSync(join(cache, oldFolder), { recursive: true, force: true });
}

/** Marks a folder as in use until this process ends. */
function markUsed(target) {
  const mark = `${target}.used.${process.pid}`;
  writeFileSync(mark, "");
  process.once("exit", () => rmSync(mark, { force: true }));
}

/** The folder that a mark names, if its process still runs. Removes the mark of a process that was killed. */
function folderInUse(cache, name) {
  const [, folder, pid] = /^([0-9a-f]+)\.used\.(\d+)$/.exec(name) ?? [];
  if (folder === undefined) return [];
  try {
    process.kill(Number(pid), 0);
    return [folder];
  } catch (error) {
    // The process belongs to another user, and is running.
    if (error.code === "EPERM") return [folder];
    rmSync(join(cache, name), { force: true });
    return [];
  }
}

/** Renames a folder, unless another process was faster. */
function rename(partialFolder, target) {
  try {
    renameSync(partialFolder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

/** Updates the time of a folder, because the least recently used folders are removed first. */
function touch(target) {
  try {
    utimesSync(target, new Date(), new Date());
  } catch {
    // The folder belongs to another user, so its age cannot be changed.
  }
}
