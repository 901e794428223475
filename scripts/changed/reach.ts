import { basename, dirname } from "node:path/posix";
import { importsOf, type Tree } from "../tree.ts";

/** A test file that a change can affect, and the number of imports in between. */
export interface ReachedTest {
  file: string;
  distance: number;
}

/** The distance of a dependency without an import, such as that of a test on the built program. It is large, because every change leads there. */
const maxDistance = 4;

const isTestFile = (path: string): boolean => path.endsWith(".test.ts");

/** The files that import or read each file, each with a distance. */
function readersIn(tree: Tree): Map<string, Map<string, number>> {
  const readers = new Map<string, Map<string, number>>();
  const add = (to: string, from: string, distance: number): void => {
    const distances = readers.get(to) ?? new Map<string, number>();
    readers.set(to, distances.set(from, Math.min(distance, distances.get(from) ?? distance)));
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
const protocolFolder = /^(?:schemas|vectors|suites\/protocols)\/([a-z-]+)\//;

/** The tests that may read a file other than a program: tests of its protocol, tests of pages, and tests that name it or are beside it. */
function readersOf(path: string, tree: Tree): string[] {
  const [, protocol] = protocolFolder.exec(path) ?? [];
  return [...tree].flatMap(([test, text]) => {
    if (!isTestFile(test)) return [];
    const isOfProtocol = protocol !== undefined && protocolFolder.exec(test)?.[1] === protocol;
    const isPage = path.endsWith(".md") && /^scripts\/(docs|counts)\.test\.ts$/.test(test);
    const isNamed = text.includes(`"${basename(path)}"`) || text.includes(`/${basename(path)}`);
    const isBeside = dirname(test) === dirname(path);
    return isOfProtocol || isPage || isNamed || isBeside ? [test] : [];
  });
}

/** The test files that a change of these files can affect, nearest first. */
export function findReachedTests(tree: Tree, changed: readonly string[]): ReachedTest[] {
  const readers = readersIn(tree);
  const distances = new Map<string, number>();
  const queue: ReachedTest[] = changed.flatMap((file) => [
    { file, distance: 0 },
    // A test beside a file tests it, even if it imports it indirectly.
    { file: file.replace(/\.ts$/, ".test.ts"), distance: 0 },
    ...(file.endsWith(".ts") ? [] : readersOf(file, tree).map((test) => ({ file: test, distance: 1 }))),
  ]);
  while (queue.length > 0) {
    queue.sort((a, b) => b.distance - a.distance);
    const { file, distance } = queue.pop() as ReachedTest;
    if (!tree.has(file) || (distances.get(file) ?? Number.POSITIVE_INFINITY) <= distance) continue;
    distances.set(file, distance);
    for (const [from, step] of readers.get(file) ?? []) queue.push({ file: from, distance: distance + step });
  }
  return [...distances]
    .map(([file, distance]) => ({ file, distance }))
    .filter(({ file }) => isTestFile(file))
    .sort((a, b) => a.distance - b.distance || (a.file < b.file ? -1 : 1));
}

/** Selects tests that fit into a time in seconds, nearest first, and all tests at distance zero. */
export function selectWithin(
  tests: readonly ReachedTest[],
  timeOf: (file: string) => number,
  maxSeconds: number,
): ReachedTest[] {
  let remainingSeconds = maxSeconds;
  return tests.filter(({ file, distance }) => {
    const seconds = timeOf(file);
    if (distance > 0 && seconds > remainingSeconds) return false;
    remainingSeconds -= seconds;
    return true;
  });
}
