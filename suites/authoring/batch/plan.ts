import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { type Shard, TouchstoneError, version } from "../../../schemas/index.ts";

/** One call of a command: with a file, a seed, or one of each. */
export interface BatchItem {
  /** The first 24 hex digits of the SHA-256 of the version, the command, the file's content and path, and the seed. Items with the same key run only once. */
  key: string;
  /** The file's path within the named folder, with slashes. */
  path?: string;
  /** The file, as passed to the command. */
  file?: string;
  seed?: number;
}

export interface BatchRequest {
  /** Files, and folders of JSON and YAML files. */
  over: readonly string[];
  seeds: readonly number[];
  /** The arguments of a Touchstone command, with placeholders. */
  commandArgs: readonly string[];
}

/** The placeholders in a command for the parts of an item. */
export const placeholders = {
  "{}": "the file",
  "{path}": "its path within the folder",
  "{name}": "its name without folder and extension",
  "{seed}": "the seed",
  "{out}": "an output folder of its own",
} as const;

/** Plans all calls of a batch, in order of path and seed. Throws a usage error for missing files, for no files, and for a repeated file. */
export function planItems({ over, seeds, commandArgs }: BatchRequest): BatchItem[] {
  const foundFiles = over.flatMap((input) => filesIn(input));
  if (over.length > 0 && foundFiles.length === 0)
    throw new TouchstoneError("usage", "there are no JSON or YAML files", {
      where: over.join(", "),
      hint: "name a file or a folder",
    });
  const files = foundFiles.map(({ path, file }) => ({ path, file, content: hashOf(readFileSync(file)) }));
  const fileEntries = files.length === 0 ? [{}] : files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const items = fileEntries.flatMap((fileEntry): BatchItem[] =>
    (seeds.length === 0 ? [undefined] : seeds).map((seed) => {
      const { path, file, content } = fileEntry as { path?: string; file?: string; content?: string };
      const key = hashOf(JSON.stringify([version, commandArgs, path ?? null, content ?? null, seed ?? null])).slice(
        0,
        24,
      );
      return {
        key,
        ...(path === undefined || file === undefined ? {} : { path, file }),
        ...(seed === undefined ? {} : { seed }),
      };
    }),
  );
  const repeatedItem = items.find((item, index) => items.findIndex(({ key }) => key === item.key) < index);
  if (repeatedItem === undefined) return items;
  throw new TouchstoneError("usage", `${repeatedItem.path} is given twice`, {
    hint: "name folders that have no file in common",
  });
}

function filesIn(input: string): { path: string; file: string }[] {
  const stat = statSync(input, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new TouchstoneError("usage", "the file or folder does not exist", {
      where: input,
      hint: "name a file or a folder",
    });
  if (!stat.isDirectory()) return [{ path: basename(input), file: input }];
  return readdirSync(input, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: relative(input, file).replaceAll("\\", "/") }));
}

/** Whether an item belongs to a shard. Only its key decides. */
export function isInShard({ index, count }: Shard, { key }: BatchItem): boolean {
  return Number.parseInt(key.slice(0, 8), 16) % count === index - 1;
}

/** Replaces the placeholders in the arguments of a command for one item; `out` is its output folder. */
export function argsFor(
  { path = "", file = "", seed }: BatchItem,
  commandArgs: readonly string[],
  out: string,
): string[] {
  const values: Record<string, string> = {
    "{}": file,
    "{path}": path,
    "{name}": basename(path, extname(path)),
    "{seed}": String(seed ?? ""),
    "{out}": out,
  };
  return commandArgs.map((arg) =>
    arg.replace(/\{(path|name|seed|out)?\}/g, (placeholder) => values[placeholder] as string),
  );
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
