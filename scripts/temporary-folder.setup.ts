import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Allowed leftovers: folders of tests, which are removed after the test file; files of Chromium and Node; and tsx's cache, which test files share. */
const allowedLeftover = /^(touchstone-\w{6}$|\.?org\.chromium|playwright|node-compile-cache|tsx-)/;

/** Throws if a temporary folder still contains a file that its creator should have removed. */
export function mustBeLeftEmpty(folderOfFile: string): void {
  const leftovers = readdirSync(folderOfFile).filter((name) => !allowedLeftover.test(name));
  if (leftovers.length === 0) return;
  throw new Error(
    `left in the temporary folder: ${leftovers.join(", ")}; remove each where it is made (or create it with the prefix "touchstone-", which is removed after the test file)`,
  );
}

const originalFolder = process.env.TMPDIR;
const sharedFolder = tmpdir();
const folderOfFile = mkdtempSync(join(sharedFolder, "touchstone-test-"));
// The tests of a file, and the programs that they start, share a separate temporary folder.
const cache = `tsx-${userInfo().uid}`;
mkdirSync(join(sharedFolder, cache), { recursive: true });
symlinkSync(join(sharedFolder, cache), join(folderOfFile, cache));
process.env.TMPDIR = folderOfFile;

const removeFolder = (): void => rmSync(folderOfFile, { recursive: true, force: true });
process.once("exit", removeFolder);

afterAll(() => {
  if (originalFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = originalFolder;
  process.off("exit", removeFolder);
  try {
    mustBeLeftEmpty(folderOfFile);
  } finally {
    removeFolder();
  }
});
