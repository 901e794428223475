import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * Returns the path of a file relative to the root of the current repository, with `/`. Outside a repository, the path is relative to the
 * surrounding workspace of GitHub, or else to the working directory. Undefined for a file outside of that folder.
 */
export function pathInRepository(file: string): string | undefined {
  const path = relative(rootOf(process.cwd()), resolve(file));
  return path === "" || path.split(sep)[0] === ".." || resolve(path) === path ? undefined : path.split(sep).join("/");
}

function rootOf(folder: string): string {
  for (let parent = folder; ; parent = dirname(parent)) {
    if (existsSync(join(parent, ".git"))) return parent;
    if (dirname(parent) === parent) return workspaceAround(folder) ?? folder;
  }
}

/** The workspace of GitHub around a folder. It may have no `.git`, for example if the sources come from an archive. */
function workspaceAround(folder: string): string | undefined {
  const { GITHUB_WORKSPACE: workspacePath } = process.env;
  if (workspacePath === undefined || !existsSync(workspacePath)) return undefined;
  const workspace = realpathSync(workspacePath);
  return `${folder}${sep}`.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep) ? workspace : undefined;
}
