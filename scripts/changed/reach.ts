import { basename, dirname } from "node:path/posix";
import { importsOf, type Tree } from "../tree.ts";

/** A test file that a change can affect, and the number of imports in between. */
export interface Reached {
  file: string;
  distance: number;
}

/** The distance of dependencies without an import: a test that starts the built program, code that loads the pack of each protocol. Far, since all changes lead there. */
const maxDistance = 4;

const isTestFile = (path: string): boolean => path.endsWith(".test.ts");

/** The files that import or read each file, each with a distance. */
function readersIn(tree: Tree): Map<string, Map<string, number>> {
  const readers = new Map<string, Map<string, number>>();
  const add = (to: string, from: string, distance: number): void => {
    const known = readers.get(to) ?? new Map<string, number>();
    readers.set(to, known.set(from, Math.min(distance, known.get(from) ?? distance)));
  };
  for (const { from, to, isOurs } of importsOf(tree)) if (isOurs) add(to, from, 1);
  const packs = [...tree.keys()].filter((path) => /^suites\/protocols\/[^/]+\/index\.ts$/.test(path));
  for (const pack of packs) add(pack, "suites/packs/pack/load.ts", maxDistance);
  for (const [path, text] of tree)
    if (isTestFile(path) && /\b(program|runInOwnProcess|startProcess)\b/.test(text) && text.includes("spawn"))
      add("suites/cli/main.ts", path, maxDistance);
  return readers;
}

/** The folder of a protocol's data or code. */
const ofProtocol = /^(?:schemas|vectors|suites\/protocols)\/([a-z-]+)\//;

/** The tests that read a file other than a program: those of its protocol, of the pages, and those that name it. */
function readersOf(path: string, tree: Tree): string[] {
  const [, protocol] = ofProtocol.exec(path) ?? [];
  return [...tree].flatMap(([test, text]) => {
    if (!isTestFile(test)) return [];
    const isOwn = protocol !== undefined && ofProtocol.exec(test)?.[1] === protocol;
    const isPage = path.endsWith(".md") && /^scripts\/(docs|counts)\.test\.ts$/.test(test);
    const isNamed = text.includes(`"${basename(path)}"`) || text.includes(`/${basename(path)}`);
    const isBeside = dirname(test) === dirname(path);
    return isOwn || isPage || isNamed || isBeside ? [test] : [];
  });
}

/** The test files that a change of some files can affect, nearest first. */
export function findReached(tree: Tree, changed: readonly string[]): Reached[] {
  const readers = readersIn(tree);
  const found = new Map<string, number>();
  const open: Reached[] = changed.flatMap((file) => [
    { file, distance: 0 },
    // A test beside a file is about it, even if it imports it indirectly.
    { file: file.replace(/\.ts$/, ".test.ts"), distance: 0 },
    ...(file.endsWith(".ts") ? [] : readersOf(file, tree).map((test) => ({ file: test, distance: 1 }))),
  ]);
  while (open.length > 0) {
    open.sort((a, b) => b.distance - a.distance);
    const { file, distance } = open.pop() as Reached;
    if (!tree.has(file) || (found.get(file) ?? Number.POSITIVE_INFINITY) <= distance) continue;
    found.set(file, distance);
    for (const [from, more] of readers.get(file) ?? []) open.push({ file: from, distance: distance + more });
  }
  return [...found]
    .map(([file, distance]) => ({ file, distance }))
    .filter(({ file }) => isTestFile(file))
    .sort((a, b) => a.distance - b.distance || (a.file < b.file ? -1 : 1));
}

/** Tests that fit into a time, nearest first, and all at distance zero. Times are in seconds. */
export function selectWithin(all: readonly Reached[], timeOf: (file: string) => number, most: number): Reached[] {
  let left = most;
  return all.filter(({ file, distance }) => {
    const time = timeOf(file);
    if (distance > 0 && time > left) return false;
    left -= time;
    return true;
  });
}
