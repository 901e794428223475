import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileDigest, isObject, type JsonObject, originsFile, version } from "../../../schemas/index.ts";
import type { Sources } from "./source.ts";

/** The document from which a pack is made, and the digests of all files that it uses. */
export function originsOf({ files }: Sources, folder: string): JsonObject {
  const digests = [...files.keys()].map((path) => [relative(resolve(folder), path), fileDigest(path)] as const);
  // The document itself is always read first.
  return { version, made: { document: digests[0]?.[0] ?? null }, files: Object.fromEntries(digests) };
}

/** Whether a pack was made by this version of the program from files that have not changed. */
export function isUpToDate(folder: string): boolean {
  const path = join(folder, originsFile);
  if (!existsSync(path)) return false;
  const { version: madeBy, files } = JSON.parse(readFileSync(path, "utf8")) as JsonObject;
  if (madeBy !== version || !isObject(files)) return false;
  return Object.entries(files).every(([name, digest]) => {
    const file = resolve(folder, name);
    return existsSync(file) && fileDigest(file) === digest;
  });
}

/** The notes about untested parts that were stored when the pack was made. */
export function readNotes(folder: string): string[] {
  const { notes } = readOrigins(folder);
  return Array.isArray(notes) ? notes.map(String) : [];
}

/** The content of a pack in words: operations, documents and assertions. Undefined for a pack of a version that did not store it. */
export function readPlan(folder: string): string | undefined {
  const { plan } = readOrigins(folder);
  return typeof plan === "string" ? plan : undefined;
}

function readOrigins(folder: string): JsonObject {
  try {
    const origins: unknown = JSON.parse(readFileSync(join(folder, originsFile), "utf8"));
    return isObject(origins) ? origins : {};
  } catch {
    // A user's own pack may contain another file with that name.
    return {};
  }
}
