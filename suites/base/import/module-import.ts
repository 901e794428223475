import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "../../../schemas/light-entry.ts";
import { tsxModulesFor } from "./typescript.ts";

/** Milliseconds for importing a module. */
export const importTimeout = 30_000;

/** Imports a module. A TypeScript module needs tsx installed beside it, or a Node that loads TypeScript. */
export async function importModule(url: URL): Promise<Record<string, unknown>> {
  mustBeFile(url);
  const needsHooks =
    /^\.[cm]?tsx?$/.test(extname(url.pathname)) && !("typescript" in process.features && process.features.typescript);
  // The hooks are registered before the first import: Node caches a failed import.
  if (needsHooks) for (const hooks of tsxModulesFor(url)) ((await import(hooks)) as { register(): void }).register();
  try {
    return exportsOf(await import(url.href));
  } catch (error) {
    if (error instanceof SyntaxError) addPosition(error, url);
    const { code } = error as NodeJS.ErrnoException;
    // A CommonJS-only package has no export for an ES module.
    if (needsHooks && code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
      throw new Error(
        `by its package.json it is CommonJS, which cannot load all ES modules: end its name in .mts, or say "type": "module" there (${(error as Error).message})`,
      );
    if (!needsHooks || code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    throw new Error(
      `Node ${process.version} cannot load TypeScript: install tsx beside the module (npm install --save-dev tsx), or compile it`,
    );
  }
}

/** Throws for a device, a pipe or a socket: importing it may never end. */
function mustBeFile(url: URL): void {
  const stats = url.protocol === "file:" ? statSync(url, { throwIfNoEntry: false }) : undefined;
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  throw new Error("it is a device, a pipe or a socket, not a file");
}

/** Adds the line to a syntax error. Node omits it from a caught error, so the file is checked again. */
function addPosition(error: SyntaxError, url: URL): void {
  if (!/^\.[cm]?js$/.test(extname(url.pathname)) || url.protocol !== "file:") return;
  const { stderr } = spawnSync(process.execPath, ["--check", fileURLToPath(url)], { encoding: "utf8", timeout: 5000 });
  if (/^[^\n]+:\d+\n/.test(stderr)) error.stack = stderr;
}

/** Returns the exports of a module. A CommonJS module compiled from TypeScript keeps its default export one level down. */
function exportsOf(exported: Record<string, unknown>): Record<string, unknown> {
  const inner = exported.default;
  return isObject(inner) && (inner as Record<string, unknown>).__esModule === true ? inner : exported;
}
