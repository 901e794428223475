import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "./home.ts";
import { known } from "./packs.ts";

/** The id that a vector of the published set has today, for one that it had once; any other text stays as it is. */
export function currentId(id: string): string {
  const pack = known.find(({ name, version }) => id.startsWith(`${name}/${version}/`));
  return pack === undefined ? id : (renamed(pack).get(id) ?? id);
}

/** All ids that vectors of the published set had once, each with today's. */
export function formerIds(): Record<string, string> {
  return Object.fromEntries(known.flatMap((pack) => [...renamed(pack)]));
}

const read = new Map<string, ReadonlyMap<string, string>>();

/** A pack's `renamed.json`. */
function renamed({ name, version }: { name: string; version: string }): ReadonlyMap<string, string> {
  const folder = join(home, "schemas", name, version);
  const file = join(folder, "renamed.json");
  const there =
    read.get(folder) ??
    new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : []);
  read.set(folder, there);
  return there;
}
