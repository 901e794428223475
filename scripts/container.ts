import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { example, home } from "../schemas/index.ts";
import { installPackage, run } from "./executable/installed.ts";
import { mustContain } from "./package/newcomer.ts";

/** Collects the content of the image: this machine's Node, its linked libraries, and the package. */
function stageFolder(folder: string): void {
  const root = join(folder, "rootfs");
  const packages = join(folder, "installed");
  mkdirSync(packages);
  for (const [path, bytes] of installPackage(packages)) write(join(root, "opt", "touchstone", path), bytes);
  const node = realpathSync(process.execPath);
  copy(node, join(root, "usr", "bin", "node"));
  const libraries = run(folder, "ldd", [node]).match(/\/\S+/g) ?? [];
  for (const library of libraries) copy(library, join(root, library));
  for (const name of ["tmp", "work"]) mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  copyFileSync(join(home, "scripts", "container", "Containerfile"), join(folder, "Containerfile"));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(file: string, bytes: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** Runs buildah with a separate store and without kernel privileges, so that it works even if CI runs in a container. */
function buildah(folder: string): (...args: string[]) => string {
  const store = ["--storage-driver", "vfs", "--root", join(folder, "store"), "--runroot", join(folder, "run")];
  return (...args) => run(folder, "buildah", [...store, ...args]);
}

function check(build: ReturnType<typeof buildah>): void {
  const [name = ""] = build("from", "touchstone").trim().split("\n");
  const main = "/opt/touchstone/node_modules/touchstone/dist/suites/cli/main.js";
  const touchstone = (...args: string[]): string =>
    build("run", "--isolation", "chroot", "--user", "65532:65532", name, "--", "/usr/bin/node", main, ...args);
  const startedAt = performance.now();
  mustContain(touchstone("--version"), "vectors");
  console.log(`touchstone --version in the container: ${Math.round(performance.now() - startedAt)} ms`);
  mustContain(touchstone("run", example.protocol, "--reference", "--quiet", "--timeout", "60000"), "Conforms");
}

const { values } = parseArgs({ options: { out: { type: "string" } } });
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
try {
  if (spawnSync("buildah", ["--version"]).status !== 0)
    throw new Error("buildah is not installed: apt-get install buildah");
  stageFolder(folder);
  const build = buildah(folder);
  build("build", "--isolation", "chroot", "--timestamp", "0", "--tag", "touchstone", "--file", "Containerfile", ".");
  const [image] = JSON.parse(build("images", "--json", "touchstone"));
  console.log(`the image: ${image.size}`);
  check(build);
  if (values.out !== undefined) {
    mkdirSync(dirname(resolve(values.out)), { recursive: true });
    build("push", "touchstone", `oci-archive:${resolve(values.out)}:touchstone`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
