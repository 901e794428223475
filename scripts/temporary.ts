import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Folders of tests, which are removed with the folder of their file; leftovers of Chromium and Node; the cache of tsx, which all share. */
const passingFolder = /^(touchstone-\w{6}$|\.?org\.chromium|playwright|node-compile-cache|tsx-)/;

/** Throws if a temporary folder still contains something that its maker had to remove. */
export function mustBeLeftEmpty(folder: string): void {
  const left = readdirSync(folder).filter((name) => !passingFolder.test(name));
  if (left.length === 0) return;
  throw new Error(
    `left in the temporary folder: ${left.join(", ")}; remove each where it is made (a test may call it "touchstone-" alone: that goes with the file)`,
  );
}

/** The tests of a file, and their programs, have their own temporary folder, which is removed. */
const originalFolder = process.env.TMPDIR;
const sharedFolder = tmpdir();
const folder = mkdtempSync(join(sharedFolder, "touchstone-test-"));
const cache = `tsx-${userInfo().uid}`;
mkdirSync(join(sharedFolder, cache), { recursive: true });
symlinkSync(join(sharedFolder, cache), join(folder, cache));
process.env.TMPDIR = folder;

const remove = (): void => rmSync(folder, { recursive: true, force: true });
process.once("exit", remove);

afterAll(() => {
  if (originalFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = originalFolder;
  process.off("exit", remove);
  try {
    mustBeLeftEmpty(folder);
  } finally {
    remove();
  }
});
