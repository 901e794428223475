import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * A file as it is called from the root of the repository that the working folder lies in, with `/`; from the working folder where there is no
 * repository. Undefined for a file outside of it.
 */
export function inRepository(file: string): string | undefined {
  const path = relative(rootOf(process.cwd()), resolve(file));
  return path === "" || path.split(sep)[0] === ".." || resolve(path) === path ? undefined : path.split(sep).join("/");
}

function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}
