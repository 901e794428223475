import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, keepFolder } from "./kept.js";

const kind = `test-${process.pid}`;
afterAll(() => rmSync(join(home, "node_modules", ".cache", "touchstone", kind), { recursive: true, force: true }));

/** Makes a kept folder that was last used `age` seconds before a fixed time. */
async function cacheFolder(words: string, age: number): Promise<string> {
  const folder = await keepFolder(kind, words, [], async (folderToFill: string) => {
    writeFileSync(join(folderToFill, "made"), words);
    return true;
  });
  if (folder === undefined) throw new Error(`${words} was not made`);
  utimesSync(folder, 1_000_000 - age, 1_000_000 - age);
  return folder;
}

/** The file with which a process marks a folder as used. */
const markOf = (folder: string, pid = process.pid): string => `${folder}.used.${pid}`;

it("keeps a folder in use by a running process, and deletes the least recently used other folder", async () => {
  const folderInUse = await cacheFolder("used", 9);
  const unusedFolder = await cacheFolder("left", 8);
  rmSync(markOf(unusedFolder));
  // No process has this id: the one that left the mark was killed.
  const staleMark = markOf(unusedFolder, 2 ** 30);
  writeFileSync(staleMark, "");
  await cacheFolder("recent", 2);
  await cacheFolder("most recent", 1);
  expect(existsSync(join(folderInUse, "made"))).toBe(true);
  expect(existsSync(unusedFolder)).toBe(false);
  expect(existsSync(staleMark)).toBe(false);
  expect(dirname(folderInUse)).toContain(kind);
});
