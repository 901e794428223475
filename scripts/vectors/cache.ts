import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../schemas/index.ts";
import type { VectorPart, VectorTask } from "./part.ts";

const defaultFolder = join(home, "node_modules/.cache/touchstone/vectors");

interface CacheEntry {
  digest: string;
  part: VectorPart;
}

/** The last vectors of a document; undefined if they were made from other sources or cannot be read. */
export function readCached(task: VectorTask, digest: string, folder: string = defaultFolder): VectorPart | undefined {
  try {
    const entry = JSON.parse(readFileSync(fileOf(task, folder), "utf8")) as CacheEntry;
    return entry.digest === digest ? entry.part : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the vectors of a document. A concurrent reader sees the old entry or the new one. */
export function writeCached(task: VectorTask, digest: string, part: VectorPart, folder: string = defaultFolder): void {
  const file = fileOf(task, folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ digest, part } satisfies CacheEntry));
  renameSync(`${file}.${process.pid}`, file);
}

function fileOf({ protocol, document }: VectorTask, folder: string): string {
  return join(folder, `${protocol}.${document}.json`);
}
