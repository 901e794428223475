import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home, ownVectors } from "./home.ts";
import { builtInPacks } from "./packs.ts";

/** Returns the current id for a former id of a published vector, and any other string unchanged. */
export function currentId(id: string): string {
  const pack = builtInPacks.find(({ name, version }) => id.startsWith(`${name}/${version}/`));
  return pack === undefined ? id : (readRenamed(pack).get(id) ?? id);
}

/** All former ids of vectors of the published set, with their current ids. */
export function formerIds(): Record<string, string> {
  return Object.fromEntries(builtInPacks.flatMap((pack) => [...readRenamed(pack)]));
}

const idsByFolder = new Map<string, ReadonlyMap<string, string>>();

/** Reads a pack's `renamed.json`. The package has all of these files in one, beside its vectors. */
function readRenamed({ name, version }: { name: string; version: string }): ReadonlyMap<string, string> {
  const folder = join(home, "schemas", name, version);
  const ids = idsByFolder.get(folder) ?? new Map(readFormerIds(join(folder, "renamed.json"), `${name}/${version}/`));
  idsByFolder.set(folder, ids);
  return ids;
}

function readFormerIds(file: string, prefix: string): [string, string][] {
  const hasOwnFile = existsSync(file);
  if (!hasOwnFile && !existsSync(allFormerFile)) return [];
  const entries = Object.entries(
    JSON.parse(readFileSync(hasOwnFile ? file : allFormerFile, "utf8")) as Record<string, string>,
  );
  return hasOwnFile ? entries : entries.filter(([id]) => id.startsWith(prefix));
}

const allFormerFile = join(ownVectors, "aliases.json");
