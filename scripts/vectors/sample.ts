import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import type { Tree } from "../tree.ts";

/** One in this many documents is sampled when a protocol's inputs are unchanged. */
export const sampleDivisor = 8;

/** Chooses one in `count` names by a seed, at least one of them. Keeps their order. */
export function sampleOf(names: readonly string[], seed: string, count: number = sampleDivisor): string[] {
  const rank = (name: string): string => createHash("sha256").update(`${seed} ${name}`).digest("hex");
  const rankedNames = [...names].sort((first, second) => (rank(first) < rank(second) ? -1 : 1));
  const chosenNames = new Set(rankedNames.slice(0, Math.ceil(names.length / count)));
  return names.filter((name) => chosenNames.has(name));
}

/** The files of a commit, given the current tree. Reads only changed files from git. Throws if git or the commit is missing. */
export function treeAt(commit: string, tree: Tree, folder: string): Tree {
  const git = (...args: string[]): string => {
    const { status, stdout, stderr, error } = spawnSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
    return stdout;
  };
  const files = new Map(tree);
  const lines = git("diff", "--name-status", "--no-renames", "-z", commit).split("\0");
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [status, path = ""] = lines.slice(index, index + 2);
    if (status === "A") files.delete(path);
    else files.set(path, git("show", `${commit}:${path}`));
  }
  for (const path of git("ls-files", "--others", "--exclude-standard", "-z").split("\0")) files.delete(path);
  return files;
}

/** The checked-out commit. Throws if git is missing. */
export function commitIn(folder: string): string {
  const { status, stdout, stderr } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}
