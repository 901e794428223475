import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { digestOf, example, home, packArchive } from "../schemas/index.ts";
import { installPackage, run } from "./executable/installed.ts";
import { mustContain } from "./package/newcomer.ts";

/** Makes a program that needs no installed Node: Node's binary with the package and its dependencies inside. */
function makeExecutable(folder: string, to: string): void {
  const files = installPackage(folder);
  const launcherSource = Buffer.from('exports.start = (file) => import(require("node:url").pathToFileURL(file));\n');
  const archive = packArchive([["start.cjs", launcherSource], ...files]);
  writeFileSync(join(folder, "package.br"), archive);
  writeFileSync(join(folder, "digest"), digestOf(archive).replace(/[^\w-]/g, "_"));
  const config = {
    main: join(home, "scripts", "executable", "launcher.cjs"),
    output: join(folder, "blob"),
    disableExperimentalSEAWarning: true,
    assets: { package: join(folder, "package.br"), digest: join(folder, "digest") },
  };
  writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
  run(folder, process.execPath, ["--experimental-sea-config", "sea.json"]);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(process.execPath, to);
  const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
  run(folder, join(home, "node_modules", ".bin", "postject"), [to, "NODE_SEA_BLOB", "blob", "--sentinel-fuse", fuse]);
  console.log(`${to}: ${statSync(to).size} bytes, ${archive.length} of them the package`);
}

/** A long timeout, so that a slow answer on a busy machine does not count as missing. */
const patientOptions = ["--timeout", "60000"];

/** Runs the program in an environment without Node and without the package. */
function check(folder: string, program: string): void {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "accept.mjs"), "export default () => true;\n");
  const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: join(folder, "cache"), HOME: empty };
  const timeRun = (args: readonly string[], code = 0): string => {
    const startedAt = performance.now();
    const text = run(empty, program, args, { env, code });
    console.log(`touchstone ${args.join(" ")}: ${Math.round(performance.now() - startedAt)} ms`);
    return text;
  };
  mustContain(timeRun(["--version"]), "vectors");
  mustContain(timeRun(["--version"]), "vectors");
  mustContain(timeRun(["run", example.protocol, "--reference", "--quiet", ...patientOptions]), "Conforms");
  // This command starts a separate process.
  mustContain(
    timeRun(["run", example.protocol, "--module", "accept.mjs", "--quiet", ...patientOptions], 1),
    "Does not conform",
  );
}

const { values } = parseArgs({ options: { out: { type: "string", default: "executable/touchstone" } } });
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
try {
  makeExecutable(folder, resolve(values.out));
  check(folder, resolve(values.out));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
