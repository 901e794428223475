import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { home } from "../schemas/index.ts";
import { bundled } from "./bundle.js";
import { readTree } from "./tree.ts";
import { openRecord } from "./whole/record.ts";

/**
 * Runs every case of the tests that `npm test` runs only in part, file by file. Skips files that have passed with the same sources, so that a
 * stopped command continues. The arguments choose files by a part of their path.
 */
const words = process.argv.slice(2);
const bundle = await bundled();
const testFiles = [...readTree(home)]
  .filter(([path, text]) => path.endsWith(".test.ts") && /part\.fixture\.ts"/.test(text))
  .map(([path]) => path)
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  .sort();
const file = join(home, "node_modules", ".cache", "touchstone", "whole", `${basename(bundle)}.txt`);
mkdirSync(dirname(file), { recursive: true });
const record = openRecord(file);
// The number of failed checks, for the exit code.
let failures = 0;
for (const [index, path] of testFiles.entries()) {
  const label = `${index + 1} of ${testFiles.length}: ${path}`;
  if (record.has(path)) {
    console.log(`${label} has passed before`);
    continue;
  }
  console.log(label);
  const vitest = join(home, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--config", "scripts/vitest.config.ts", path], {
    cwd: home,
    env: { ...process.env, TOUCHSTONE_WHOLE: "1" },
    stdio: "inherit",
  });
  if (status === 0) record.add(path);
  else failures += 1;
}
console.log(`${testFiles.length - failures} of ${testFiles.length} files passed in full`);
process.exitCode = failures === 0 ? 0 : 1;
