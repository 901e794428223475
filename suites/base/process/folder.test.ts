import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./folder.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("makes all missing folders, and leaves existing ones alone", () => {
  mkdirSync(join(folder, "a"));
  writeFileSync(join(folder, "a", "file"), "x");
  const deepFolder = join(folder, "a", "b", "c");
  makeFolder(deepFolder);
  makeFolder(deepFolder);
  expect(statSync(deepFolder).isDirectory()).toBe(true);
  expect(() => makeFolder(join(folder, "a", "file", "b"))).toThrow(/ENOTDIR/);
});

it.runIf(existsSync("/proc/self"))("throws if no folder can be made", () => {
  expect(() => makeFolder("/proc/touchstone/report")).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
