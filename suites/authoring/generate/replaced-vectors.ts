import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writePlainly } from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";

/** Replaces the vectors at once: a reader sees either the old set or the new one. */
export function replaceVectors(folder: string, texts: ReadonlyMap<string, string>): void {
  const [beside, old] = ["new", "old"].map((name) => pathBeside(folder, name)) as [string, string];
  // Other files in the folder are the user's.
  const isOwn = !existsSync(folder) || existsSync(join(folder, "MANIFEST.json"));
  const fresh = isOwn ? beside : folder;
  if (isOwn) settleVectors(folder);
  for (const [path, text] of texts) {
    makeFolder(dirname(join(fresh, path)));
    writePlainly(join(fresh, path), text);
  }
  if (!isOwn) return;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

/** Cleans up after a killed process, so that the vectors are in place and no temporary folder remains. */
export function settleVectors(folder: string): void {
  const [fresh, old] = ["new", "old"].map((name) => pathBeside(folder, name)) as [string, string];
  // The old vectors are removed only after the new ones are complete.
  if (!existsSync(folder) && existsSync(old)) renameSync(existsSync(fresh) ? fresh : old, folder);
  for (const each of [fresh, old]) rmSync(each, { recursive: true, force: true });
}

/** Hidden, since a visible folder beside the vectors may be the user's. */
function pathBeside(folder: string, name: string): string {
  return join(dirname(folder), `.${basename(folder)}.${name}`);
}
