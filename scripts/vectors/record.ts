import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, type VectorFile } from "../../schemas/index.ts";
import type { Versions } from "./versions.ts";

/** The path of the version record, relative to the repository. */
export const recordFile = "scripts/vectors/versions.json";

export function readRecord(folder: string = home): Versions {
  return JSON.parse(readFileSync(join(folder, recordFile), "utf8")) as Versions;
}

export function writeRecord(versions: Versions, folder: string = home): void {
  writeFileSync(join(folder, recordFile), `${JSON.stringify(versions, null, 2)}\n`);
}

/** The record in a commit; undefined if git, the commit or the record is missing. */
export function recordAt(commit: string, folder: string = home): Versions | undefined {
  const { status, stdout } = spawnSync("git", ["show", `${commit}:${recordFile}`], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? (JSON.parse(stdout) as Versions) : undefined;
}

/** The id of a vector, and the content that identifies it after a change of the id. */
interface VectorContent {
  id: string;
  message: string;
}

/** The ids in the texts of vector files. */
export function idsIn(texts: ReadonlyMap<string, string>): string[] {
  return vectorsIn(texts).map(({ id }) => id);
}

/** The new id of each removed vector whose message and verdict match exactly one new vector of the same document. */
export function renamedIn(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): Map<string, string> {
  const [oldVectors, newVectors] = [vectorsIn(before), vectorsIn(now)];
  const [currentIds, oldIds] = [new Set(newVectors.map(({ id }) => id)), new Set(oldVectors.map(({ id }) => id))];
  const newIdsByMessage = new Map<string, string[]>();
  for (const { id, message } of newVectors)
    if (!oldIds.has(id)) newIdsByMessage.set(message, [...(newIdsByMessage.get(message) ?? []), id]);
  return new Map(
    oldVectors.flatMap(({ id, message }) => {
      const [newId, ...others] = currentIds.has(id) ? [] : (newIdsByMessage.get(message) ?? []);
      return newId === undefined || others.length > 0 ? [] : [[id, newId] as const];
    }),
  );
}

function vectorsIn(texts: ReadonlyMap<string, string>): VectorContent[] {
  return [...texts].flatMap(([path, text]) => {
    if (!path.includes("/")) return [];
    const { protocol, version, document, tests } = JSON.parse(text) as VectorFile;
    return tests.map(({ id, valid, data, raw, base64 }) => {
      const content = [`${protocol}/${version}/${document}`, { valid, data, raw, base64 }];
      return { id, message: JSON.stringify(content) };
    });
  });
}
