import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { escapeInvisible } from "../../base/text/escape.ts";

/** `from "./a.ts"`, `import "./a.ts"`, `import("./a.ts")`, `require("./a")`. */
const relativeImports = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g;
const possibleSuffixes = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
/** The maximum number of watched files: each needs a system call four times a second. */
const maxFiles = 1000;

/** Lists a module and all files that it imports by relative paths, directly or indirectly, as absolute paths. Packages and computed names are not followed. */
export function importedBy(module: string): string[] {
  const files = new Set([resolve(module)]);
  for (const file of files) {
    for (const [, specifier = ""] of readText(file).matchAll(relativeImports)) {
      const path = resolve(dirname(file), specifier);
      // TypeScript imports name the compiled file.
      const paths = [...possibleSuffixes.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, ".$1ts")];
      const existingFile = paths.find(isFile);
      if (existingFile !== undefined && files.size < maxFiles) files.add(existingFile);
    }
  }
  return [...files];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readText(file: string): string {
  return isFile(file) ? readFileSync(file, "utf8") : "";
}

/** Returns a string that changes whenever one of the files is written, removed or restored. */
function fingerprint(files: readonly string[]): string {
  const stats = files.map((file) => statSync(file, { throwIfNoEntry: false }));
  return stats.map((stat) => `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`).join();
}

interface Rerun {
  /** The arguments of the command that is repeated. */
  args: readonly string[];
  /** The watched files, computed before each run. */
  files(): string[];
  signal: AbortSignal;
  /** Milliseconds between two checks of the files. */
  intervalMs?: number;
}

/** Runs a command, and runs it again after each change of a file, until the signal ends it. A change stops the current run. Returns the exit code of the last complete run. */
export async function runAgain({ args, files, signal, intervalMs = 250 }: Rerun): Promise<number> {
  let lastCode = 0;
  while (!signal.aborted) {
    const watchedFiles = files();
    const original = fingerprint(watchedFiles);
    const [node, program] = process.argv as [string, string];
    const child = spawn(node, [...process.execArgv, program, ...args], { stdio: ["ignore", "inherit", "inherit"] });
    const closed = new Promise<void>((done) => {
      child.once("error", () => done());
      child.once("close", (code) => {
        lastCode = code ?? lastCode;
        done();
        if (!signal.aborted && code !== null) process.stderr.write(`${describeWaiting(watchedFiles)}\n`);
      });
    });
    while (!signal.aborted && fingerprint(watchedFiles) === original)
      await pause(intervalMs, undefined, { signal }).catch(() => {});
    child.kill("SIGINT");
    await closed;
    if (!signal.aborted) process.stderr.write("a file has changed\n");
  }
  return lastCode;
}

function describeWaiting([first = "", ...otherNames]: readonly string[]): string {
  const moreFiles = otherNames.length === 0 ? "" : ` and ${otherNames.length} more`;
  return escapeInvisible(`waiting for a change of ${relative(process.cwd(), first)}${moreFiles}; Ctrl+C ends`);
}

/** The arguments of a command without --watch. */
export function argsWithoutWatch(args: readonly string[]): string[] {
  return args.filter((argument) => argument !== "--watch");
}
