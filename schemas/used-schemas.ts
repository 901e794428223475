import { isObject, type Json, type JsonObject } from "./json.ts";

const references = ["$ref", "$dynamicRef", "$recursiveRef"];

/** The schema with that `$id` and the schemas that it refers to, in the given order. They come from `published`: every `$id` is absolute. */
export function schemasUsed(schemas: readonly JsonObject[], entry: string): JsonObject[] {
  const files = schemas.map(lookThrough);
  const homes = new Map(files.flatMap((file) => file.ids.map((id) => [id, file] as const)));
  const used = new Set<Looked>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const file = homes.get(id);
    if (file === undefined || used.has(file)) continue;
    used.add(file);
    waiting.push(...file.refers);
  }
  return files.filter((file) => used.has(file)).map(({ schema }) => schema);
}

interface Looked {
  schema: JsonObject;
  /** Ids of the schema and of those inside it. */
  ids: string[];
  /** Addresses without fragment that something in it refers to. */
  refers: string[];
}

/** Loaded schemas never change, and each document asks for them once. */
const lookedAt = new WeakMap<JsonObject, Looked>();

function lookThrough(schema: JsonObject): Looked {
  const before = lookedAt.get(schema);
  if (before !== undefined) return before;
  const found: Looked = { schema, ids: [], refers: [] };
  lookedAt.set(schema, found);
  findUses(schema, "schema:/", found);
  return found;
}

function findUses(value: Json, base: string, into: Looked): void {
  if (Array.isArray(value)) for (const item of value) findUses(item, base, into);
  if (!isObject(value)) return;
  const { $id } = value;
  const here = typeof $id === "string" && URL.canParse($id, base) ? withoutFragment(new URL($id, base)) : base;
  if (here !== base) into.ids.push(here, ...(typeof $id === "string" ? [$id] : []));
  for (const keyword of references) {
    const to = value[keyword];
    if (typeof to === "string" && URL.canParse(to, here)) into.refers.push(withoutFragment(new URL(to, here)));
  }
  for (const member of Object.values(value)) findUses(member, here, into);
}

function withoutFragment(url: URL): string {
  return url.href.replace(/#.*$/, "");
}
