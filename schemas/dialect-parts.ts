import { type Dialect, dialectOf, subschemas } from "./dialect.ts";
import { addressOf, type SchemaDocument } from "./document.ts";
import { isObject, type JsonObject } from "./json.ts";

/**
 * The schemas of other dialects inside of a document (Core 9.3.3 of 2020-12: a bundle may mix them), each as a document of its own, and in
 * the place of each a reference to it: validators read a document by one dialect. A schema without an identifier stays.
 */
export function takeApart(document: SchemaDocument): SchemaDocument[] {
  const { dialect, schema } = document;
  const apart: SchemaDocument[] = [];
  const start = withId(schema[dialect.id], addressOf(document)) ?? addressOf(document);
  const open: { schema: JsonObject; at: string; base: string }[] = [{ schema, at: "", base: start }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { path, schema: below } of subschemas(next.schema, dialect)) {
      if (!isObject(below)) continue;
      const at = `${next.at}${path}`;
      const other = otherDialect(below, dialect);
      const id = other === undefined ? undefined : withId(below[other.id], next.base);
      if (other !== undefined && id !== undefined) {
        apart.push(documentAt(document, at, { ...below, [other.id]: id }, other));
        becomeReference(below, id);
      } else open.push({ schema: below, at, base: withId(below[dialect.id], next.base) ?? next.base });
    }
  }
  return apart;
}

/** Leaves nothing of a schema but a reference. */
function becomeReference(schema: JsonObject, id: string): void {
  for (const name of Object.keys(schema)) delete schema[name];
  schema.$ref = id;
}

function otherDialect({ $schema }: JsonObject, own: Dialect): Dialect | undefined {
  const other = typeof $schema === "string" ? dialectOf($schema) : undefined;
  return other === own ? undefined : other;
}

/** The address that an identifier gives a resource; undefined for an identifier that only names a place, or none. */
function withId(id: unknown, base: string): string | undefined {
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
    // No other document has this path, and it is in the same folder.
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
