import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../../schemas/folder.fixture.ts";
import { makeFolder } from "./folder.ts";

it("makes all folders that are missing, and leaves those that are there", () => {
  const folder = folderWith({ "a/file": "x" });
  const deep = join(folder, "a", "b", "c");
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
  expect(() => makeFolder(join(folder, "a", "file", "b"))).toThrow(/ENOTDIR/);
});

it.runIf(existsSync("/proc/self"))("ends with an error where nothing can be made", () => {
  expect(() => makeFolder("/proc/touchstone/report")).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
