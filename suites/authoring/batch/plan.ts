import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { type Shard, TouchstoneError, version } from "../../../schemas/index.ts";

/** One call of a command: with one file, one seed, or one of both. */
export interface BatchItem {
  /** 24 hex digits of the SHA-256 of the version, the command, the file's content and path, and the seed: an item with this key is worked on once. */
  key: string;
  /** The file's path within its given folder, with slashes. */
  path?: string;
  /** The file as it is given to the command. */
  file?: string;
  seed?: number;
}

export interface BatchWanted {
  /** Files, and folders of JSON and YAML files. */
  over: readonly string[];
  seeds: readonly number[];
  /** A command of ours with its arguments, with placeholders. */
  words: readonly string[];
}

/** The placeholders of a command for the parts of an item. */
export const placeholders = {
  "{}": "the file",
  "{path}": "its path within the folder",
  "{name}": "its name without folder and extension",
  "{seed}": "the seed",
  "{out}": "an output folder of its own",
} as const;

/** All calls that are wanted, in the order of paths and seeds. Throws a usage error for a file that is not there and for no files at all. */
export function planItems({ over, seeds, words }: BatchWanted): BatchItem[] {
  const found = over.flatMap((each) => filesIn(each));
  if (over.length > 0 && found.length === 0)
    throw new TouchstoneError("usage", "there are no JSON or YAML files", {
      where: over.join(", "),
      hint: "name a file or a folder",
    });
  const files = found.map(({ path, file }) => ({ path, file, content: digest(readFileSync(file)) }));
  const perFile = files.length === 0 ? [{}] : files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const items = perFile.flatMap((each): BatchItem[] =>
    (seeds.length === 0 ? [undefined] : seeds).map((seed) => {
      const { path, file, content } = each as { path?: string; file?: string; content?: string };
      const key = digest(JSON.stringify([version, words, path ?? null, content ?? null, seed ?? null])).slice(0, 24);
      return {
        key,
        ...(path === undefined || file === undefined ? {} : { path, file }),
        ...(seed === undefined ? {} : { seed }),
      };
    }),
  );
  const twice = items.find((item, index) => items.findIndex(({ key }) => key === item.key) < index);
  if (twice === undefined) return items;
  throw new TouchstoneError("usage", `${twice.path} is named twice`, {
    hint: "name folders that have no file in common",
  });
}

function filesIn(given: string): { path: string; file: string }[] {
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new TouchstoneError("usage", "the file or folder does not exist", {
      where: given,
      hint: "name a file or a folder",
    });
  if (!stat.isDirectory()) return [{ path: basename(given), file: given }];
  return readdirSync(given, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: relative(given, file).replaceAll("\\", "/") }));
}

/** Whether an item belongs to a shard: its key alone decides. */
export function isIn({ index, count }: Shard, { key }: BatchItem): boolean {
  return Number.parseInt(key.slice(0, 8), 16) % count === index - 1;
}

/** The words of a command for one item, which writes into a folder. */
export function wordsFor({ path = "", file = "", seed }: BatchItem, words: readonly string[], out: string): string[] {
  const values: Record<string, string> = {
    "{}": file,
    "{path}": path,
    "{name}": basename(path, extname(path)),
    "{seed}": String(seed ?? ""),
    "{out}": out,
  };
  return words.map((word) => word.replace(/\{(path|name|seed|out)?\}/g, (each) => values[each] as string));
}

function digest(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
