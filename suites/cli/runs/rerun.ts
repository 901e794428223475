import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { escapeInvisible } from "../../base/text/escape.ts";

/** `from "./a.ts"`, `import "./a.ts"`, `import("./a.ts")`, `require("./a")`. */
const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g;
const endings = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
/** The maximum number of watched files: each needs a system call four times a second. */
const maxFiles = 1000;

/** A module and the files that it imports, directly or indirectly, by relative specifiers, as absolute paths. Packages and computed names are not followed. */
export function importedBy(module: string): string[] {
  const files = new Set([resolve(module)]);
  for (const file of files) {
    for (const [, specifier = ""] of textOf(file).matchAll(specifiers)) {
      const path = resolve(dirname(file), specifier);
      // TypeScript imports name the compiled file.
      const paths = [...endings.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, ".$1ts")];
      const existingFile = paths.find(isFile);
      if (existingFile !== undefined && files.size < maxFiles) files.add(existingFile);
    }
  }
  return [...files];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function textOf(file: string): string {
  return isFile(file) ? readFileSync(file, "utf8") : "";
}

/** A text that changes if one of the files is written, removed, or restored. */
function stampOf(files: readonly string[]): string {
  const stats = files.map((file) => statSync(file, { throwIfNoEntry: false }));
  return stats.map((stat) => `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`).join();
}

interface Rerun {
  /** The arguments of the command that is repeated. */
  words: readonly string[];
  /** The watched files, computed before each run. */
  files(): string[];
  signal: AbortSignal;
  /** Milliseconds between two checks of the files. */
  every?: number;
}

/** Runs a command, and again after each change of a file, until the signal ends it; a current run is stopped. The exit code is that of the last complete run. */
export async function runAgain({ words, files, signal, every = 250 }: Rerun): Promise<number> {
  let last = 0;
  while (!signal.aborted) {
    const watchedFiles = files();
    const before = stampOf(watchedFiles);
    const [node, program] = process.argv as [string, string];
    const child = spawn(node, [...process.execArgv, program, ...words], { stdio: ["ignore", "inherit", "inherit"] });
    const untilEnd = new Promise<void>((done) => {
      child.once("error", () => done());
      child.once("close", (code) => {
        last = code ?? last;
        done();
        if (!signal.aborted && code !== null) process.stderr.write(`${waitingFor(watchedFiles)}\n`);
      });
    });
    while (!signal.aborted && stampOf(watchedFiles) === before)
      await pause(every, undefined, { signal }).catch(() => {});
    child.kill("SIGINT");
    await untilEnd;
    if (!signal.aborted) process.stderr.write("a file has changed\n");
  }
  return last;
}

function waitingFor([first = "", ...otherNames]: readonly string[]): string {
  const othersText = otherNames.length === 0 ? "" : ` and ${otherNames.length} more`;
  return escapeInvisible(`waiting for a change of ${relative(process.cwd(), first)}${othersText}; Ctrl+C ends`);
}

/** The arguments of a command without the option that repeats it. */
export function wordsOnce(args: readonly string[]): string[] {
  return args.filter((word) => word !== "--watch");
}
