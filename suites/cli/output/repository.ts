import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * The path of a file from the root of the repository of the working folder, with `/`; without a repository, from the workspace of
 * GitHub around it, or from the working folder. Undefined for a file outside of it.
 */
export function inRepository(file: string): string | undefined {
  const path = relative(rootOf(process.cwd()), resolve(file));
  return path === "" || path.split(sep)[0] === ".." || resolve(path) === path ? undefined : path.split(sep).join("/");
}

function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return workspaceAround(folder) ?? folder;
  }
}

/** Sources may come into a workspace without a checkout, such as from an archive. */
function workspaceAround(folder: string): string | undefined {
  const { GITHUB_WORKSPACE: given } = process.env;
  if (given === undefined || !existsSync(given)) return undefined;
  const workspace = realpathSync(given);
  return `${folder}${sep}`.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep) ? workspace : undefined;
}
