import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import type { Tree } from "../tree.ts";

/** One in this many documents is sampled when a protocol's inputs are unchanged. */
export const sampleDivisor = 8;

/** One of `count` parts of some names, at least one name, chosen by a seed; in their order. */
export function sampleOf(names: readonly string[], seed: string, count: number = sampleDivisor): string[] {
  const rank = (name: string): string => createHash("sha256").update(`${seed} ${name}`).digest("hex");
  const ranked = [...names].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const chosen = new Set(ranked.slice(0, Math.ceil(names.length / count)));
  return names.filter((name) => chosen.has(name));
}

/** The files of a commit: changed ones are read from it, and new ones are left out. Throws without git or the commit. */
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

/** The checked-out commit. Throws without git. */
export function commitIn(folder: string): string {
  const { status, stdout, stderr } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}
