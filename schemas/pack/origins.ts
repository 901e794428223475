import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shownPath } from "../files.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Source } from "../loaded-schemas.ts";
import { at } from "../pointer.ts";

/** The file of a pack that names its sources. */
export const originsFile = "sources.json";

/**
 * Positions of a pack's assertions in its source files: by `$id` and JSON Pointer, the number of the file among `files`, the line and the
 * column, and the JSON Pointer in the file if different. Under `rules`, the same by rule id.
 */
export interface Origins {
  files: string[];
  at: Record<string, Record<string, [file: number, line: number, column: number, pointer?: string]>>;
}

export function fileDigest(path: string): string {
  return `sha256-${hash("sha256", readFileSync(path), "base64")}`;
}

/** The positions of a pack's locations in its source files, as long as these are unchanged. Read on first use. */
export function originsIn(folder: string): (location: string) => Source | undefined {
  let sourceOf: ((location: string) => Source | undefined) | undefined;
  return (location) => {
    sourceOf ??= readOrigins(folder);
    return sourceOf(location);
  };
}

/** Finds the changed source files of a pack, with the options that regenerate it. Undefined if nothing changed or the pack has no such record. */
export function changedSince(folder: string): { files: string[]; options: string[] } | undefined {
  const path = join(folder, originsFile);
  const { made, files: digests } = existsSync(path) ? parseText(readFileSync(path, "utf8")) : {};
  if (!isObject(made) || !isObject(digests)) return undefined;
  const shownName = (name: string): string => shownPath(resolve(folder, name));
  const files = Object.entries(digests)
    .filter(([name, digest]) => existsSync(shownName(name)) && fileDigest(shownName(name)) !== digest)
    .map(([name]) => shownName(name));
  const document = typeof made.document === "string" ? [shownName(made.document)] : [];
  const namesFor = (option: string, names: Json | undefined): string[] =>
    (Array.isArray(names) ? names : []).flatMap((name) => [option, String(name).replace(/^[^#]+/, shownName)]);
  if (files.length === 0) return undefined;
  return {
    files,
    options: [
      ...document,
      ...namesFor("--schema", made.schemas),
      ...namesFor("--ref", made.refs),
      "--out",
      shownPath(folder),
    ],
  };
}

function readOrigins(folder: string): (location: string) => Source | undefined {
  const path = join(folder, originsFile);
  const value = existsSync(path) ? parseText(readFileSync(path, "utf8")) : {};
  const names = at("/places/files", value);
  const places = at("/places/at", value);
  const digests = value.files;
  if (!Array.isArray(names) || !isObject(places) || !isObject(digests)) return () => undefined;
  const files = names.map((name) => {
    const file = resolve(folder, String(name));
    return existsSync(file) && fileDigest(file) === digests[String(name)] ? shownPath(file) : undefined;
  });
  return (location) => {
    const [id = "", fragment = ""] = location.split("#");
    const schemaPlaces = Object.hasOwn(places, id) ? places[id] : undefined;
    const place = isObject(schemaPlaces) && Object.hasOwn(schemaPlaces, fragment) ? schemaPlaces[fragment] : undefined;
    if (!Array.isArray(place)) return undefined;
    const [fileIndex, line, column] = place.map(Number) as [number, number, number];
    const file = files[fileIndex];
    const pointerMember = place[3] === undefined ? {} : { pointer: String(place[3]) };
    return file === undefined ? undefined : { file, line, column, ...pointerMember };
  };
}

/** The object in a text; empty if the file was replaced or truncated. */
function parseText(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
