import { relative, resolve } from "node:path";
import { isObject, type Json, type JsonObject, type Origins, pointer, type Source } from "../../../schemas/index.ts";

/** Above this length no places are stored: for such a large description the lines of the pack are just as useful. */
const maxTextLength = 50_000;
/** The values of these keywords are data. */
const data = new Set(["const", "default", "enum", "example", "examples"]);

/** The file and line of the parts of schemas, by their `$id`, in the files from which they were made, and of its rules, as a pack stores them; undefined if there are too many. */
export function originPlaces(
  schemas: ReadonlyMap<string, JsonObject>,
  folder: string,
  source: (location: string) => Source | undefined,
  rules: ReadonlyMap<string, Source> = new Map(),
): Origins | undefined {
  const files: string[] = [];
  /** Keyed by the path as given, so that paths are not resolved for each place. */
  const numbers = new Map<string, number>();
  const numberOf = (file: string): number => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const placesFound: Origins["at"] = {};
  let count = 0;
  const numberPlace = (place: Source): [file: number, line: number, column: number] => {
    const index = numbers.get(place.file) ?? numberOf(relative(resolve(folder), resolve(place.file)));
    numbers.set(place.file, index);
    return [index, place.line, place.column];
  };
  for (const [root, schema] of schemas)
    for (const { id, at, within } of pointersIn(schema, root, source)) {
      const place = source(`${id}#${at}`);
      if (place === undefined) continue;
      count += 1;
      if (count > maxTextLength) return undefined;
      placesFound[id] ??= {};
      const inFile = place.pointer ?? within;
      placesFound[id][at] = inFile === at ? numberPlace(place) : [...numberPlace(place), inFile];
    }
  if (rules.size > 0) placesFound.rules = Object.fromEntries([...rules].map(([id, place]) => [id, numberPlace(place)]));
  return { files, at: placesFound };
}

interface Pointed {
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
  { id, at, within }: Pointed = { id: root, at: "", within: "" },
): Generator<Pointed> {
  const resourceId = isObject(value) && typeof value.$id === "string" && URL.canParse(value.$id, id) ? value.$id : "";
  const embedded = URL.canParse(resourceId) ? resourceId.replace(/#$/, "") : resourceId && new URL(resourceId, id).href;
  const isEmbedded = within !== "" && embedded !== "" && source(`${embedded}#`) !== undefined;
  const place = isEmbedded ? { id: embedded, at: "", within } : { id, at, within };
  yield place;
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [name, each] of Object.entries(value)) {
    const childPlace = { id: place.id, at: pointer.append(place.at, name), within: pointer.append(within, name) };
    if (data.has(name) && !within.endsWith("/properties")) yield childPlace;
    else yield* pointersIn(each, root, source, childPlace);
  }
}
