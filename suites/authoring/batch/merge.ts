import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formatAddress, TouchstoneError, version } from "../../../schemas/index.ts";
import type { BatchItem } from "./plan.ts";
import { type ItemResult, temporaryFiles } from "./work.ts";

/** All results of a batch, in the order of its plan. */
export interface BatchIndex {
  $schema: string;
  tool: { name: "touchstone"; version: string };
  /** The number of items in the plan. */
  planned: number;
  /** How many of them have a result. */
  done: number;
  /** How often each exit code occurs; `signal` for items that a signal ended. */
  codes: Record<string, number>;
  /** Keys and paths of items without a result. */
  missing: { key: string; path?: string; seed?: number }[];
  /** `digest` covers the files of the result, without the parts that may differ from run to run. */
  results: (ItemResult & { digest: string })[];
}

/** Merges the results of all shards. The index does not depend on the order of the items or on the processes that ran them. */
export function mergeShards(out: string, items: readonly BatchItem[]): BatchIndex {
  const results: BatchIndex["results"] = [];
  const missing: BatchIndex["missing"] = [];
  for (const { key, path, seed } of items) {
    const folder = join(out, key);
    if (existsSync(join(folder, "result.json")))
      results.push({ ...readResult(folder, key), digest: digestFolder(folder) });
    else missing.push({ key, ...(path === undefined ? {} : { path }), ...(seed === undefined ? {} : { seed }) });
  }
  const codes: Record<string, number> = {};
  for (const { exitCode } of results) {
    const code = exitCode === undefined ? "signal" : String(exitCode);
    codes[code] = (codes[code] ?? 0) + 1;
  }
  const tool = { name: "touchstone", version } as const;
  return {
    $schema: formatAddress("batch"),
    tool,
    planned: items.length,
    done: results.length,
    codes,
    missing,
    results,
  };
}

/** The total seconds of all finished items. */
export function sumSeconds(out: string, items: readonly BatchItem[]): number {
  return items.reduce((sum, { key }) => {
    const file = join(out, key, "time.json");
    return existsSync(file) ? sum + (JSON.parse(readFileSync(file, "utf8")) as { seconds: number }).seconds : sum;
  }, 0);
}

/** Removes the folders of items that were started but never finished. */
export function removeUnfinished(out: string): void {
  rmSync(join(out, ".unfinished"), { recursive: true, force: true });
}

function readResult(folder: string, key: string): ItemResult {
  const file = join(folder, "result.json");
  try {
    const result = JSON.parse(readFileSync(file, "utf8")) as ItemResult;
    if (result.key === key) return result;
  } catch {
    // Reported below.
  }
  throw new TouchstoneError("usage", "this result does not belong to the item of its folder", {
    where: file,
    hint: "remove the folder, and run the batch again: it does the missing items",
  });
}

function digestFolder(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((name) => !temporaryFiles.includes(name))
    .sort();
  for (const name of files)
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update("\0");
  return `sha256-${hash.digest("base64")}`;
}
