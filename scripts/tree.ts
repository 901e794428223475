import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The texts of files by path, with `/` between folders. */
export type Tree = ReadonlyMap<string, string>;

/** Reads every file of a folder except ignored ones. Supports `folder/`, `/folder/` and `*.ending` in its .gitignore. */
export function readTree(root: string): Tree {
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter(Boolean);
  const folders = [".git", ...ignored.filter((line) => line.endsWith("/")).map((line) => line.slice(0, -1))];
  const endings = ignored.filter((line) => line.startsWith("*")).map((line) => line.slice(1));
  const tree = new Map<string, string>();
  const read = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (folders.includes(entry.name) || folders.includes(`/${path}`)) continue;
      if (entry.isDirectory()) read(path);
      else if (!endings.some((ending) => path.endsWith(ending))) tree.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  read("");
  return tree;
}

/** An import or re-export of one file. */
export interface Import {
  from: string;
  /** A path in the tree for our own files, otherwise the name of a package. */
  to: string;
  isOurs: boolean;
  dynamic: boolean;
}

const importStatement = /^(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*"([^"\n]+)"/gm;
const importCall = /\bimport\(\s*"([^"\n${]+)"\s*\)/g;

/** The imports of the program files, including type imports. Ignores imports of programs inside template literals. */
export function importsOf(tree: Tree): Import[] {
  return [...tree].flatMap(([from, text]) => {
    if (!isProgram(from)) return [];
    const code = text.replace(/`\n[^`]*`/g, "``");
    const namesOf = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map((match) => match[1] as string);
    const imports = [
      ...namesOf(importStatement).map((name) => ({ name, dynamic: false })),
      ...namesOf(importCall).map((name) => ({ name, dynamic: true })),
    ];
    return imports.flatMap(({ name, dynamic }) => {
      const isOurs = name.startsWith(".");
      const to = isOurs ? posix.join(posix.dirname(from), name) : name;
      return isOurs && !tree.has(to) ? [] : [{ from, to, isOurs, dynamic }];
    });
  });
}

export function isProgram(path: string): boolean {
  return /^(schemas|generators|suites|scripts)\/.*\.[jt]s$/.test(path);
}

export function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path);
}
