import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtInPacks, example, home, version } from "../schemas/index.ts";
import { mustContain, walkThroughFirstUse } from "./package/newcomer.ts";
import { walkThroughOwnPack } from "./package/own-pack.ts";

/** The maximum bytes of the package, packed and unpacked. Compressed vectors are a third of the first and a tenth of the second. */
const budget = { packed: 4_275_000, unpacked: 17_980_000 };

/** The maximum bytes of an installation: the package and all its dependencies. */
const maxInstalled = 32_220_000;

const [protocol = "", protocolVersion = "", document = ""] = example.vector.split("/");
const validFile = `${protocol}/${protocolVersion}/${document}/valid`;

/** A program that uses each entry of the package, like a user. */
const consumer = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compare, defineTarget, inProcess, loadVectors, runSuite, type Target, validate } from "touchstone";
import { families } from "touchstone/generators";
import { type Answer, protocolNamed, type Report } from "touchstone/schemas";
import type { ConformanceOptions } from "touchstone/vitest";

const accept: Answer = { verdict: "accepted", reasons: [] };
const target: Target = {
  kind: "module", name: "accepts all", claims: undefined, concurrency: 1,
  open: async () => {}, skips: () => undefined, check: async () => accept, close: async () => {},
};
const report: Report = await runSuite({ protocols: [protocolNamed("${protocol}")], target: () => target });
if (report.exitCode !== 1 || report.counts.conforms === 0) throw new Error(JSON.stringify(report.counts));
const inProcessReport = await runSuite({ protocols: "${protocol}", target: () => inProcess(defineTarget(() => true)) });
if (compare(report, inProcessReport).failing.length > 0) throw new Error("two targets that accept everything differ");
const file = createRequire(import.meta.url).resolve("touchstone/vectors/MANIFEST.json");
const { digest, count } = JSON.parse(readFileSync(file, "utf8"));
if (!/^sha256-/.test(digest) || count < loadVectors(protocolNamed("${protocol}")).files.length) throw new Error("no vectors");
if ((await validate("${protocol}", "${document}", {})).length === 0) throw new Error("an empty object is valid");
export const options: ConformanceOptions = { only: ["${validFile}"] };
if (families.length === 0) throw new Error("no families of faults");
`;

/** A test file of a user. */
const testFile = `
import { conformance } from "touchstone/vitest";

conformance("${protocol}", () => true, { only: ["${validFile}"] });
`;

/** Runs a program and returns its output on stdout. Throws if it exits with an unexpected code. */
function run(folder: string, command: string, args: readonly string[], expected = 0): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    maxBuffer: 2 ** 28,
  });
  if (status === expected) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${error ?? ""}${stdout}${stderr}`);
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Checks that the package contains each file to which its documents link. */
function followLinks(root: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".md") || name.includes("node_modules")) continue;
    const links = readFileSync(join(root, name), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
    for (const [, link = ""] of links)
      if (!existsSync(join(root, dirname(name), link)))
        throw new Error(`${name} of the package links to ${link}, which is not in the package`);
  }
}

/** Builds and packs the package, examines it, and uses it from an empty project. */
async function check(folder: string): Promise<void> {
  const tarball = packInto(folder);
  const project = join(folder, "project");
  installInto(project, tarball);
  callCommands(project);
  checkTypes(project);
  run(project, process.execPath, ["consumer.js"]);
  runTests(project);
  console.log("the package installs, runs and type-checks");
  await followGuides(project);
}

/** A program among the dependencies of this repository. */
function binOf(name: string): string {
  return join(home, "node_modules", ".bin", name);
}

/** Builds the package, and returns the path of its tarball. Throws if that is larger than its budget. */
function packInto(folder: string): string {
  run(home, process.execPath, [join(home, "scripts", "build.js")]);
  const [{ filename, size, unpackedSize }] = JSON.parse(
    run(home, "npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]),
  );
  const tarball = join(folder, filename);
  run(home, binOf("publint"), ["run", tarball, "--strict"]);
  run(home, binOf("attw"), ["--profile", "esm-only", tarball]);
  console.log(`packed ${size} of ${budget.packed} bytes, unpacked ${unpackedSize} of ${budget.unpacked}`);
  if (size > budget.packed || unpackedSize > budget.unpacked) throw new Error("the package is too large");
  return tarball;
}

/** Installs the package in a new project with programs that use it. */
function installInto(project: string, tarball: string): void {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, "consumer.ts"), consumer);
  writeFileSync(join(project, "accept.mjs"), "export default () => true;\n");
  run(project, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball]);
  const installed = bytesIn(join(project, "node_modules"));
  console.log(`installed ${installed} of ${maxInstalled} bytes, with all that it depends on`);
  if (installed > maxInstalled) throw new Error("the installation is too large");
  followLinks(join(project, "node_modules", "touchstone"));
}

function callCommands(project: string): void {
  const touchstone = (args: readonly string[], code = 0): string => run(project, "npx", ["touchstone", ...args], code);
  const versions = touchstone(["--version"]);
  mustContain(versions, version);
  mustContain(versions, JSON.parse(readFileSync(join(home, "vectors", "MANIFEST.json"), "utf8")).digest);
  touchstone(["export", "all", "--out", "exported"]);
  for (const name of ["MANIFEST.json", `${protocol}/${protocolVersion}/${document}/raw.json`])
    if (readFileSync(join(project, "exported", name), "utf8") !== readFileSync(join(home, "vectors", name), "utf8"))
      throw new Error(`${name} differs in the package from the repository`);
  const protocols = touchstone(["list", "protocols"]);
  for (const { name } of builtInPacks) mustContain(protocols, name);
  const acceptAll = ["run", protocol, "--module", "accept.mjs"];
  mustContain(touchstone(acceptAll, 1), "violate");
  mustContain(touchstone([...acceptAll, "--report", "html"], 1), "</html>");
}

/** Compiles the consumer with both module resolutions that users have. */
function checkTypes(project: string): void {
  const strictOptions = ["--target", "es2022", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
  const typeOptions = ["--typeRoots", join(home, "node_modules", "@types"), "--types", "node"];
  const bundlerOptions = ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"];
  for (const moduleOptions of [bundlerOptions, ["--module", "nodenext"]])
    run(project, binOf("tsc"), [...moduleOptions, ...strictOptions, ...typeOptions, "consumer.ts"]);
}

function runTests(project: string): void {
  const { vitest } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")).devDependencies;
  writeFileSync(join(project, "conformance.test.ts"), testFile);
  run(project, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `vitest@${vitest}`]);
  mustContain(run(project, "npx", ["vitest", "run", "--root", project]), "passed");
}

/** Follows the guides for new users, and measures the time. */
async function followGuides(project: string): Promise<void> {
  const newcomerStartedAt = performance.now();
  await walkThroughFirstUse(project, (command, args, expected) => run(project, command, args, expected));
  console.log(
    `a newcomer with the installed package gates CI after ${secondsSince(newcomerStartedAt)} s of machine time`,
  );
  const packStartedAt = performance.now();
  const ownFolder = join(project, "own");
  await walkThroughOwnPack(ownFolder, (command, args, expected) => run(ownFolder, command, args, expected));
  console.log(
    `a newcomer with a schema finds the fault of a server after ${secondsSince(packStartedAt)} s of machine time`,
  );
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1000);
}

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
try {
  await check(folder);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
