import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, keepFolder } from "./kept.js";

const kind = `test-${process.pid}`;
afterAll(() => rmSync(join(home, "node_modules", ".cache", "touchstone", kind), { recursive: true, force: true }));

/** A kept folder, made longer ago for a greater age. */
async function keptAt(words: string, age: number): Promise<string> {
  const folder = await keepFolder(kind, words, [], async (own: string) => {
    writeFileSync(join(own, "made"), words);
    return true;
  });
  if (folder === undefined) throw new Error(`${words} was not made`);
  utimesSync(folder, 1_000_000 - age, 1_000_000 - age);
  return folder;
}

/** The file with which a process marks a folder as used. */
const markOf = (folder: string, pid = process.pid): string => `${folder}.used.${pid}`;

it("a folder in use by a running process is kept, and the least recently used of the others is deleted", async () => {
  const used = await keptAt("used", 9);
  const left = await keptAt("left", 8);
  rmSync(markOf(left));
  // No process has this id: the one that left the mark was killed.
  const killed = markOf(left, 2 ** 30);
  writeFileSync(killed, "");
  await keptAt("young", 2);
  await keptAt("younger", 1);
  expect(existsSync(join(used, "made"))).toBe(true);
  expect(existsSync(left)).toBe(false);
  expect(existsSync(killed)).toBe(false);
  expect(dirname(used)).toContain(kind);
});
