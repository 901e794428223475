import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { home } from "../schemas/index.ts";
import { findReachedTests, selectWithin } from "./changed/reach.ts";
import { readTree } from "./tree.ts";

/** Runs the tests that a change can affect, nearest first, as many as fit into the time, and the house rules. */
const { values, positionals } = parseArgs({
  options: { since: { type: "string" }, seconds: { type: "string", default: "40" }, list: { type: "boolean" } },
  allowPositionals: true,
});

function git(...gitArgs: string[]): string[] {
  const { status, stdout, stderr } = spawnSync("git", gitArgs, { cwd: home, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`git ${gitArgs.join(" ")}: ${stderr}name the files instead: npm run test:changed -- FILE…`);
  return stdout.split("\n").filter(Boolean);
}

/** The commit at which this branch begins; on the main branch, its last commit. */
function branchStart(): string {
  const mainBranch = ["origin/main", "main"].find(
    (name) => spawnSync("git", ["rev-parse", "--verify", "--quiet", name], { cwd: home }).status === 0,
  );
  const [commit = "HEAD"] = mainBranch === undefined ? [] : git("merge-base", mainBranch, "HEAD");
  return commit;
}

/** The changed files since the start of this branch, committed or not, or the named files. */
function changedFiles(): string[] {
  if (positionals.length > 0) return positionals;
  const since = values.since ?? branchStart();
  return [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")];
}

/** The seconds that each test file needed last time, according to Vitest. */
function lastDurations(): (file: string) => number {
  const cache = join(home, "node_modules", ".vite", "vitest");
  const files = existsSync(cache) ? readdirSync(cache).map((name) => join(cache, name, "results.json")) : [];
  const durations = new Map<string, number>();
  for (const file of files.filter((path) => existsSync(path)))
    for (const [key, { duration }] of JSON.parse(readFileSync(file, "utf8")).results as [
      string,
      { duration: number },
    ][])
      durations.set(key.replace(/^[^:]*:/, ""), duration / 1000);
  return (file) => durations.get(file) ?? (file.endsWith(".e2e.test.ts") ? 15 : 0.5);
}

const changedPaths = [...new Set(changedFiles())];
const reachedTests = findReachedTests(readTree(home), changedPaths);
const chosenTests = selectWithin(reachedTests, lastDurations(), Number(values.seconds) * availableParallelism());
console.log(
  `${changedPaths.length} files changed; ${chosenTests.length} of the ${reachedTests.length} test files that they can affect are run, nearest first; npm test runs all of them`,
);
if (values.list === true) for (const { file, distance } of reachedTests) console.log(`${distance}\t${file}`);
else {
  const files = new Set([...chosenTests.map(({ file }) => file), "scripts/architecture.test.ts"]);
  const vitest = join(home, "node_modules", "vitest", "vitest.mjs");
  const vitestArgs = [vitest, "run", "--config", "scripts/vitest.config.ts", ...files];
  process.exitCode = spawnSync(process.execPath, vitestArgs, { cwd: home, stdio: "inherit" }).status ?? 1;
}
