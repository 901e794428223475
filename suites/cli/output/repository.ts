import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The path of a file relative to the root of the working folder's repository, with `/`; without a repository, relative to the surrounding workspace of GitHub or to the working folder. Undefined for a file outside of it. */
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

/** Sources may be in a workspace without a checkout, for example from an archive. */
function workspaceAround(folder: string): string | undefined {
  const { GITHUB_WORKSPACE: given } = process.env;
  if (given === undefined || !existsSync(given)) return undefined;
  const workspace = realpathSync(given);
  return `${folder}${sep}`.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep) ? workspace : undefined;
}
