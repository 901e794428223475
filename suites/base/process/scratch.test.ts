import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { makeScratchFolder } from "./scratch.ts";

/** Runs a program that makes a temporary folder, prints its name, and then runs `ending`. */
async function runWithFolder(ending: string): Promise<{ folder: string; ended: Promise<unknown[]>; kill(): void }> {
  const script = `import { makeScratchFolder } from ${JSON.stringify(join(home, "suites/base/process/scratch.ts"))};
  console.log(makeScratchFolder().folder); ${ending}`;
  const nodeArguments = ["--import", "tsx", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, nodeArguments, { cwd: home, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  const [name] = await Promise.race([once(child.stdout, "data"), ended.then(() => [""])]);
  expect(name, "the program ended without a folder").not.toBe("");
  return { folder: String(name).trim(), ended, kill: () => void child.kill("SIGTERM") };
}

it("makes a folder that exists until it is cleared, and leaves no listener behind", () => {
  const before = process.listenerCount("SIGTERM");
  const [firstFolder, secondFolder] = [makeScratchFolder(), makeScratchFolder()];
  writeFileSync(join(firstFolder.folder, "a"), "");
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  for (const scratch of [firstFolder, secondFolder]) scratch.clear();
  expect([existsSync(firstFolder.folder), existsSync(secondFolder.folder)]).toEqual([false, false]);
  expect(process.listenerCount("SIGTERM")).toBe(before);
});

it.each([
  ["that throws", "setTimeout(() => { throw new Error('x') }, 100);", [1, null]],
  ["that exits", "setTimeout(() => process.exit(3), 100);", [3, null]],
])("removes the folder when a process %s", async (_, ending, code) => {
  const { folder, ended } = await runWithFolder(ending);
  expect(await ended).toEqual(code);
  expect(existsSync(folder)).toBe(false);
});

it("removes the folder when a signal ends the process, which still dies by the signal", async () => {
  const { folder, ended, kill } = await runWithFolder("setInterval(() => {}, 1000);");
  expect(existsSync(folder)).toBe(true);
  kill();
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(existsSync(folder)).toBe(false);
});
