import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home, ownVectors } from "./home.ts";
import { builtInPacks } from "./packs.ts";

/** The current id of a vector of the published set, for a former one; any other text is returned unchanged. */
export function currentId(id: string): string {
  const pack = builtInPacks.find(({ name, version }) => id.startsWith(`${name}/${version}/`));
  return pack === undefined ? id : (readRenamed(pack).get(id) ?? id);
}

/** All ids that vectors of the published set had once, each with today's. */
export function formerIds(): Record<string, string> {
  return Object.fromEntries(builtInPacks.flatMap((pack) => [...readRenamed(pack)]));
}

const read = new Map<string, ReadonlyMap<string, string>>();

/** A pack's `renamed.json`; the package has all of them in one file beside its vectors. */
function readRenamed({ name, version }: { name: string; version: string }): ReadonlyMap<string, string> {
  const folder = join(home, "schemas", name, version);
  const there = read.get(folder) ?? new Map(formerIn(join(folder, "renamed.json"), `${name}/${version}/`));
  read.set(folder, there);
  return there;
}

function formerIn(file: string, prefix: string): [string, string][] {
  const isOwn = existsSync(file);
  if (!isOwn && !existsSync(allFormer)) return [];
  const all = Object.entries(JSON.parse(readFileSync(isOwn ? file : allFormer, "utf8")) as Record<string, string>);
  return isOwn ? all : all.filter(([id]) => id.startsWith(prefix));
}

const allFormer = join(ownVectors, "aliases.json");
