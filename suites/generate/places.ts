import { relative, resolve } from "node:path";
import { isObject, type Json, type JsonObject, type Origins, pointer, type Source } from "../../schemas/index.ts";

/** More places are not written down: of so large a description the lines of the pack serve as well. */
const most = 50_000;
/** What these hold is data. */
const data = new Set(["const", "default", "enum", "example", "examples"]);

/**
 * Where the parts of schemas, by their `$id`, stand in the files of which they were made, and what its rules demand, as a pack keeps it; undefined where
 * there are too many.
 */
export function originPlaces(
  schemas: ReadonlyMap<string, JsonObject>,
  folder: string,
  source: (location: string) => Source | undefined,
  rules: ReadonlyMap<string, Source> = new Map(),
): Origins | undefined {
  const files: string[] = [];
  const found: Origins["at"] = {};
  let count = 0;
  const numbered = (place: Source): Origins["at"][string][string] => {
    const file = relative(resolve(folder), resolve(place.file));
    if (!files.includes(file)) files.push(file);
    return [files.indexOf(file), place.line, place.column];
  };
  for (const [id, schema] of schemas) {
    const own: Origins["at"][string] = {};
    for (const at of pointersIn(schema)) {
      const place = source(`${id}#${at}`);
      if (place === undefined) continue;
      count += 1;
      if (count > most) return undefined;
      own[at] = numbered(place);
    }
    found[id] = own;
  }
  if (rules.size > 0) found.rules = Object.fromEntries([...rules].map(([id, place]) => [id, numbered(place)]));
  return { files, at: found };
}

function* pointersIn(value: Json, at = ""): Generator<string> {
  yield at;
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [name, each] of Object.entries(value)) {
    const below = pointer.append(at, name);
    if (data.has(name) && !at.endsWith("/properties")) yield below;
    else yield* pointersIn(each, below);
  }
}
