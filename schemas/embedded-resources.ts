import { type Dialect, dialectOf, subschemas } from "./dialect.ts";
import { addressOf, type SchemaDocument } from "./document.ts";
import { isObject, type JsonObject } from "./json.ts";

/**
 * Moves each schema of another dialect inside a document (Core 9.3.3 of 2020-12: a bundle may mix them) into a separate document, and leaves
 * a reference: a validator reads a whole document by one dialect. A schema without an identifier stays in its place.
 */
export function extractForeignDialects(document: SchemaDocument): SchemaDocument[] {
  const { dialect, schema } = document;
  const extracted: SchemaDocument[] = [];
  const start = resolveId(schema[dialect.id], addressOf(document)) ?? addressOf(document);
  const open: { schema: JsonObject; at: string; base: string }[] = [{ schema, at: "", base: start }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { path, schema: subschema } of subschemas(next.schema, dialect)) {
      if (!isObject(subschema)) continue;
      const at = `${next.at}${path}`;
      const other = otherDialect(subschema, dialect);
      const id = other === undefined ? undefined : resolveId(subschema[other.id], next.base);
      if (other !== undefined && id !== undefined) {
        extracted.push(documentAt(document, at, { ...subschema, [other.id]: id }, other));
        replaceByReference(subschema, id);
      } else open.push({ schema: subschema, at, base: resolveId(subschema[dialect.id], next.base) ?? next.base });
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
  const other = typeof $schema === "string" ? dialectOf($schema) : undefined;
  return other === ownDialect ? undefined : other;
}

/** The address that an identifier gives a resource; undefined for a fragment, an invalid identifier, or none. */
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
