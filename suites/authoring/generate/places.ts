import { relative, resolve } from "node:path";
import { isObject, type Json, type JsonObject, type Origins, pointer, type Source } from "../../../schemas/index.ts";

/** Above this number no places are stored: for such a large description the lines of the pack are just as useful. */
const maxPlaces = 50_000;
/** The values of these keywords are data. */
const dataKeywords = new Set(["const", "default", "enum", "example", "examples"]);

/** Maps each part of a schema (by `$id`), and each rule, to its position in the user's files, as stored in a pack; undefined if there are too many. */
export function originPlaces(
  schemas: ReadonlyMap<string, JsonObject>,
  folder: string,
  source: (location: string) => Source | undefined,
  rules: ReadonlyMap<string, Source> = new Map(),
): Origins | undefined {
  const files: string[] = [];
  /** Keyed by the path as given, so that paths are not resolved for each place. */
  const fileIndexes = new Map<string, number>();
  const indexOfFile = (file: string): number => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const places: Origins["at"] = {};
  let count = 0;
  const entryOf = (place: Source): [file: number, line: number, column: number] => {
    const index = fileIndexes.get(place.file) ?? indexOfFile(relative(resolve(folder), resolve(place.file)));
    fileIndexes.set(place.file, index);
    return [index, place.line, place.column];
  };
  for (const [root, schema] of schemas)
    for (const { id, at, within: rootPointer } of pointersIn(schema, root, source)) {
      const place = source(`${id}#${at}`);
      if (place === undefined) continue;
      count += 1;
      if (count > maxPlaces) return undefined;
      places[id] ??= {};
      const filePointer = place.pointer ?? rootPointer;
      places[id][at] = filePointer === at ? entryOf(place) : [...entryOf(place), filePointer];
    }
  if (rules.size > 0) places.rules = Object.fromEntries([...rules].map(([id, place]) => [id, entryOf(place)]));
  return { files, at: places };
}

interface PointedPart {
  /** The `$id` of the resource that contains it: the schema itself or an embedded one. */
  id: string;
  /** JSON Pointer in the resource. */
  at: string;
  /** JSON Pointer in the schema. */
  within: string;
}

function* pointersIn(
  value: Json,
  root: string,
  source: (location: string) => Source | undefined,
  { id, at, within }: PointedPart = { id: root, at: "", within: "" },
): Generator<PointedPart> {
  const resourceId = isObject(value) && typeof value.$id === "string" && URL.canParse(value.$id, id) ? value.$id : "";
  // An absolute or relative `$id` of an embedded schema; empty if there is none.
  const embeddedId = URL.canParse(resourceId)
    ? resourceId.replace(/#$/, "")
    : resourceId && new URL(resourceId, id).href;
  const isEmbedded = within !== "" && embeddedId !== "" && source(`${embeddedId}#`) !== undefined;
  const place = isEmbedded ? { id: embeddedId, at: "", within } : { id, at, within };
  yield place;
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const childPlace = { id: place.id, at: pointer.append(place.at, name), within: pointer.append(within, name) };
    if (dataKeywords.has(name) && !within.endsWith("/properties")) yield childPlace;
    else yield* pointersIn(child, root, source, childPlace);
  }
}
