import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";
import { identifier } from "./compile.ts";

/** Keywords with data as values: an `$id` in them does not name a schema. */
const dataKeywords: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

const pathsOfDocument = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** Finds the document that contains a location, and its JSON Pointer there. Nested schemas may have their own `$id`. */
export function documentAt(
  schemas: readonly JsonObject[],
  location: Location,
): { document: JsonObject; path: string } | undefined {
  const index = location.indexOf("#");
  const id = location.slice(0, index);
  for (const document of schemas) {
    const prefix = resourcesOf(document).get(id);
    if (prefix !== undefined) return { document, path: `${prefix}${location.slice(index + 1)}` };
  }
  return undefined;
}

/** Lists JSON Pointers to the schemas with an `$id`, by that `$id`. */
function resourcesOf(document: JsonObject): ReadonlyMap<string, string> {
  const cached = pathsOfDocument.get(document);
  if (cached !== undefined) return cached;
  const id = identifier(document);
  const pathsById = new Map([[id, ""]]);
  for (const [name, value] of Object.entries(document))
    if (!dataKeywords.has(name)) collectResources(pathsById, value, pointer.append("", name), id);
  pathsOfDocument.set(document, pathsById);
  return pathsById;
}

function collectResources(pathsById: Map<string, string>, value: Json, at: string, base: string): void {
  if (typeof value !== "object" || value === null) return;
  const ownId = isObject(value) && typeof value.$id === "string" ? value.$id : undefined;
  const url =
    ownId === undefined || ownId.startsWith("#") || !URL.canParse(ownId, base) ? undefined : new URL(ownId, base);
  const id = url === undefined ? base : url.href.replace(/#$/, "");
  if (url !== undefined && !pathsById.has(id)) pathsById.set(id, at);
  for (const [name, each] of Object.entries(value))
    if (!dataKeywords.has(name)) collectResources(pathsById, each, pointer.append(at, name), id);
}
