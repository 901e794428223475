import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { scratch } from "./scratch.ts";

/** Runs a program that makes a temporary folder, prints its name, and then executes `then`. */
async function withFolder(ending: string): Promise<{ folder: string; ended: Promise<unknown[]>; kill(): void }> {
  const text = `import { scratch } from ${JSON.stringify(join(home, "suites/base/process/scratch.ts"))};
  console.log(scratch().folder); ${ending}`;
  const words = ["--import", "tsx", "--input-type=module", "--eval", text];
  const child = spawn(process.execPath, words, { cwd: home, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  const [name] = await once(child.stdout, "data");
  return { folder: String(name).trim(), ended, kill: () => void child.kill("SIGTERM") };
}

it("exists until it is cleared, and leaves no listener behind", () => {
  const before = process.listenerCount("SIGTERM");
  const [one, two] = [scratch(), scratch()];
  writeFileSync(join(one.folder, "a"), "");
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  for (const scratch of [one, two]) scratch.clear();
  expect([existsSync(one.folder), existsSync(two.folder)]).toEqual([false, false]);
  expect(process.listenerCount("SIGTERM")).toBe(before);
});

it.each([
  ["that throws", "setTimeout(() => { throw new Error('x') }, 100);", [1, null]],
  ["that exits", "setTimeout(() => process.exit(3), 100);", [3, null]],
])("is removed when a process %s", async (_, ending, code) => {
  const { folder, ended } = await withFolder(ending);
  expect(await ended).toEqual(code);
  expect(existsSync(folder)).toBe(false);
});

it("is removed when a signal ends the process, and the process still dies by the signal", async () => {
  const { folder, ended, kill } = await withFolder("setInterval(() => {}, 1000);");
  expect(existsSync(folder)).toBe(true);
  kill();
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(existsSync(folder)).toBe(false);
});
