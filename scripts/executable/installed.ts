import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../schemas/index.ts";

/** Runs a program and returns its output on stdout. Throws if it exits with an unexpected code. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  { env = process.env, code = 0 }: { env?: NodeJS.ProcessEnv; code?: number } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === code) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${error ?? ""}${stdout}${stderr}`);
}

/** Files that no program reads. */
const unusedFiles = /\.(d\.[cm]?ts|map|[cm]?ts|md|markdown|flow)$|(^|\/)(\.package-lock\.json|\.bin\/.*)$/i;

/** Installs the package and its dependencies in an empty folder, like a user, and returns the files that programs read. */
export function installPackage(folder: string): [path: string, bytes: Buffer][] {
  run(home, process.execPath, [join(home, "scripts", "build.js")]);
  const [packed] = JSON.parse(run(home, "npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]));
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  writeFileSync(join(folder, "package.json"), "{}\n");
  run(folder, "npm", ["install", ...options, join(folder, packed.filename)]);
  return readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" })
    .map((name) => join("node_modules", name))
    .filter((path) => !unusedFiles.test(path) && statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(folder, path))]);
}
