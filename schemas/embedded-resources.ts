import { type Dialect, dialectOf, subschemas } from "./dialect.ts";
import { addressOf, type SchemaDocument } from "./document.ts";
import { isObject, type JsonObject } from "./json.ts";

/**
 * Moves each embedded schema of a different dialect into a separate document, and replaces it by a reference, because validators read a whole
 * document in one dialect. A bundle may mix dialects (Core 9.3.3 of 2020-12). A schema without an identifier stays in its place.
 */
export function extractForeignDialects(document: SchemaDocument): SchemaDocument[] {
  const { dialect, schema } = document;
  const extracted: SchemaDocument[] = [];
  const start = resolveId(schema[dialect.id], addressOf(document)) ?? addressOf(document);
  const unvisited: { schema: JsonObject; at: string; base: string }[] = [{ schema, at: "", base: start }];
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    for (const { path, schema: subschema } of subschemas(next.schema, dialect)) {
      if (!isObject(subschema)) continue;
      const at = `${next.at}${path}`;
      const foreignDialect = otherDialect(subschema, dialect);
      const id = foreignDialect === undefined ? undefined : resolveId(subschema[foreignDialect.id], next.base);
      if (foreignDialect !== undefined && id !== undefined) {
        extracted.push(documentAt(document, at, { ...subschema, [foreignDialect.id]: id }, foreignDialect));
        replaceByReference(subschema, id);
      } else unvisited.push({ schema: subschema, at, base: resolveId(subschema[dialect.id], next.base) ?? next.base });
    }
  }
  return extracted;
}

/** Replaces a schema by a reference, in place. */
function replaceByReference(schema: JsonObject, id: string): void {
  for (const name of Object.keys(schema)) delete schema[name];
  schema.$ref = id;
}

function otherDialect({ $schema }: JsonObject, ownDialect: Dialect): Dialect | undefined {
  const namedDialect = typeof $schema === "string" ? dialectOf($schema) : undefined;
  return namedDialect === ownDialect ? undefined : namedDialect;
}

/** Resolves the identifier of a resource; undefined for a fragment, or for an invalid or missing identifier. */
function resolveId(id: unknown, base: string): string | undefined {
  if (typeof id !== "string" || id.startsWith("#") || !URL.canParse(id, base)) return undefined;
  return new URL(id, base).href.replace(/#$/, "");
}

/** Makes a separate document from a schema inside a document; its parts keep the locations of the original. */
function documentAt(
  { path, file, text }: SchemaDocument,
  at: string,
  schema: JsonObject,
  dialect: Dialect,
): SchemaDocument {
  return {
    // A path that is unique, and in the same folder.
    path: `${path}#${encodeURIComponent(at)}`,
    file,
    schema,
    dialect,
    named: true,
    text: {
      value: schema,
      locate: (place) => text.locate(at + place),
      number: (place) => text.number?.(at + place),
      origin: (place) => text.origin?.(at + place) ?? { file, at: at + place, isWritten: true },
    },
  };
}
