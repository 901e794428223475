import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writePlainly } from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";

/** Replaces all vectors in one step: a reader sees either the old set or the new one. */
export function replaceVectors(folder: string, texts: ReadonlyMap<string, string>): void {
  const [newFolder, oldFolder] = ["new", "old"].map((name) => pathBeside(folder, name)) as [string, string];
  // Other files in the folder are the user's.
  const isVectorFolder = !existsSync(folder) || existsSync(join(folder, "MANIFEST.json"));
  const target = isVectorFolder ? newFolder : folder;
  if (isVectorFolder) settleVectors(folder);
  for (const [path, text] of texts) {
    makeFolder(dirname(join(target, path)));
    writePlainly(join(target, path), text);
  }
  if (!isVectorFolder) return;
  if (existsSync(folder)) renameSync(folder, oldFolder);
  renameSync(target, folder);
  rmSync(oldFolder, { recursive: true, force: true });
}

/** Cleans up after a killed process, so that the vectors are in place and no temporary folder remains. */
export function settleVectors(folder: string): void {
  const [newFolder, oldFolder] = ["new", "old"].map((name) => pathBeside(folder, name)) as [string, string];
  // The old vectors are removed only after the new ones are complete.
  if (!existsSync(folder) && existsSync(oldFolder)) renameSync(existsSync(newFolder) ? newFolder : oldFolder, folder);
  for (const temporaryFolder of [newFolder, oldFolder]) rmSync(temporaryFolder, { recursive: true, force: true });
}

/** Hidden, since a visible folder beside the vectors may be the user's. */
function pathBeside(folder: string, name: string): string {
  return join(dirname(folder), `.${basename(folder)}.${name}`);
}
