import { isObject, type Json, type JsonObject } from "./json.ts";

const references = ["$ref", "$dynamicRef", "$recursiveRef"];

/** The schema with this `$id` and the schemas that it refers to, in the given order. Each `$id` is absolute, as `publishSchemas` writes it. */
export function schemasUsed(schemas: readonly JsonObject[], entry: string): JsonObject[] {
  const { files, filesById } = indexUses(schemas);
  const usedFiles = new Set<SchemaUses>();
  const pendingIds = [entry];
  for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
    const file = filesById.get(id);
    if (file === undefined || usedFiles.has(file)) continue;
    usedFiles.add(file);
    pendingIds.push(...file.refers);
  }
  return files.filter((file) => usedFiles.has(file)).map(({ schema }) => schema);
}

interface UsesIndex {
  files: SchemaUses[];
  filesById: Map<string, SchemaUses>;
}

/** A cache, since every document asks for the same schemas. */
const indexBySchemas = new WeakMap<readonly JsonObject[], UsesIndex>();

function indexUses(schemas: readonly JsonObject[]): UsesIndex {
  const known = indexBySchemas.get(schemas);
  if (known !== undefined && known.files.length === schemas.length) return known;
  const files = schemas.map(usesOf);
  const index = { files, filesById: new Map(files.flatMap((file) => file.ids.map((id) => [id, file] as const))) };
  indexBySchemas.set(schemas, index);
  return index;
}

interface SchemaUses {
  schema: JsonObject;
  /** Ids of the schema and of those inside it. */
  ids: string[];
  /** The targets of its references, without fragment. */
  refers: string[];
}

/** Cached, because loaded schemas never change and are needed for every document. */
const usesBySchema = new WeakMap<JsonObject, SchemaUses>();

function usesOf(schema: JsonObject): SchemaUses {
  const cached = usesBySchema.get(schema);
  if (cached !== undefined) return cached;
  const uses: SchemaUses = { schema, ids: [], refers: [] };
  usesBySchema.set(schema, uses);
  findUses(schema, "schema:/", uses);
  return uses;
}

function findUses(value: Json, base: string, uses: SchemaUses): void {
  if (Array.isArray(value)) for (const item of value) findUses(item, base, uses);
  if (!isObject(value)) return;
  const { $id } = value;
  const ownBase = typeof $id === "string" && URL.canParse($id, base) ? withoutFragment(new URL($id, base)) : base;
  if (ownBase !== base) uses.ids.push(ownBase, ...(typeof $id === "string" ? [$id] : []));
  for (const keyword of references) {
    const to = value[keyword];
    if (typeof to === "string" && URL.canParse(to, ownBase)) uses.refers.push(withoutFragment(new URL(to, ownBase)));
  }
  for (const member of Object.values(value)) findUses(member, ownBase, uses);
}

function withoutFragment(url: URL): string {
  return url.href.replace(/#.*$/, "");
}
