import { dirname } from "node:path";
import { type Dialect, isSchema } from "./dialect.ts";
import { documentOf, faultIn, type SchemaDocument } from "./document.ts";
import { dropInfiniteBounds } from "./endless-bounds.ts";
import { TouchstoneError } from "./error.ts";
import { findPath, type ReadLimits, readText, shownPath } from "./files.ts";
import { isObject, type JsonObject } from "./json.ts";
import { keywordsOf, suggestKeyword } from "./keywords.ts";
import { withDialect } from "./lenient-dialect.ts";
import { nearestName } from "./nearest-name.ts";
import { append, segments, at as valueAt } from "./pointer.ts";
import { asUri } from "./uri.ts";

/** A schema as a command line names it: a file, and the part of it. */
export interface NamedSchema {
  file: string;
  /** JSON Pointer; empty for the whole. */
  at: string;
}

/** The schema that `FILE` or `FILE#/json/pointer` names. A file with `#` in its own name takes precedence. */
export async function namedSchema(reference: string): Promise<NamedSchema> {
  const index = reference.indexOf("#");
  const wholeFile = { file: reference, at: "" };
  if (index < 0) return wholeFile;
  const exists = await findPath(reference).then(
    () => true,
    () => false,
  );
  if (exists) return wholeFile;
  const at = decodeFragment(reference.slice(index + 1));
  if (at === "" || at.startsWith("/")) return { file: reference.slice(0, index), at };
  throw new TouchstoneError("usage", `"${reference}" has no JSON Pointer after its #`, {
    hint: `write it as ${reference.slice(0, index)}#/definitions/NAME`,
  });
}

const definitionLists = ["$defs", "definitions"];

/**
 * Returns the named schema, or each definition if a list of definitions is named, or if the root only contains definitions, as in published
 * protocols. Throws a usage error for a schema that asserts nothing at all.
 */
export async function schemasMeant(reference: string): Promise<string[]> {
  const { file, at } = await namedSchema(reference);
  const document = await documentIn(file);
  const value = valueAt(at, document.schema);
  const isList = at !== "" && definitionLists.includes(segments(at).at(-1) as string) && isObject(value);
  if (isList && (asserts(value, document.dialect) === false || Object.values(value).every(isSchema)))
    return definitionsIn(document, at).map((definition) => `${file}#${asUri(definition)}`);
  if (!isObject(value) || asserts(value, document.dialect)) return [reference];
  const definitions = definitionLists.flatMap((name) => definitionsIn(document, append(at, name)));
  if (definitions.length > 0) return definitions.map((definition) => `${file}#${asUri(definition)}`);
  const descriptionKind = ["openapi", "asyncapi"].find((name) => Object.hasOwn(value, name));
  if (descriptionKind !== undefined)
    throw faultIn(
      document,
      at,
      `not a schema, but an API description (${descriptionKind})`,
      `give it without --schema: touchstone generate ${file}, or one of its schemas: ${file}#/components/schemas/NAME`,
    );
  const corrections = Object.keys(value).flatMap((name) => {
    const keyword = suggestKeyword(name, document.dialect);
    return keyword === undefined ? [] : [`"${keyword}" for "${name}"`];
  });
  const hint = `${corrections.length === 0 ? "" : `did you mean ${corrections.join(", ")}? `}name a schema that says something`;
  throw faultIn(document, at, "the schema asserts nothing: it accepts every value", hint);
}

/** Reads the file of a named schema. Throws a usage error. */
export async function documentNamed(reference: string): Promise<SchemaDocument> {
  return documentIn((await namedSchema(reference)).file);
}

const ignoreNotice = (): void => {};

async function documentIn(file: string): Promise<SchemaDocument> {
  const limits: ReadLimits = { files: 1, bytes: 10 * 1024 * 1024 };
  const { path, kind } = await findPath(file);
  if (kind === "folder")
    throw new TouchstoneError("usage", `"${file}" is a folder`, { hint: "name the schema to begin with" });
  const shownFile = shownPath(path);
  const text = await readText(path, limits);
  return documentOf(path, shownFile, withDialect(shownFile, dropInfiniteBounds(text, ignoreNotice), ignoreNotice));
}

/** JSON Pointers of the definitions in a list that assert something. */
function definitionsIn({ schema, dialect }: SchemaDocument, at: string): string[] {
  const list = valueAt(at, schema);
  return Object.entries(isObject(list) ? list : {})
    .filter(([, definition]) => isObject(definition) && asserts(definition, dialect))
    .map(([name]) => append(at, name));
}

/** Keywords that only describe, name, or contain definitions for references. */
const nonAsserting = new Set(
  [
    "$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary $comment $defs definitions",
    "title description default examples readOnly writeOnly deprecated contentMediaType contentEncoding contentSchema",
  ].flatMap((line) => line.split(" ")),
);

function asserts(schema: JsonObject, dialect: Dialect): boolean {
  const keywords = keywordsOf(dialect);
  return Object.keys(schema).some((name) => keywords.has(name) && !nonAsserting.has(name));
}

/** Makes a document that refers to the schema at a location in another document. Throws a usage error if nothing is there. */
export function referringDocument(wholeFile: SchemaDocument, id: string, at: string): SchemaDocument {
  const { path, file, text, schema, dialect } = wholeFile;
  if (!isSchema(valueAt(at, schema))) {
    const knownPointers = definitionLists.flatMap((name) => definitionsIn(wholeFile, `/${name}`));
    throw faultIn(
      wholeFile,
      "",
      `there is no schema at #${at}`,
      `${nearestName(at, knownPointers)}name an existing one`,
    );
  }
  const pointingSchema: JsonObject = {
    ...(typeof schema.$schema === "string" ? { $schema: schema.$schema } : {}),
    [dialect.id]: asUri(`${id}${at}`),
    $ref: `${id}#${asUri(at)}`,
  };
  return {
    ...wholeFile,
    path: `${path}#${at}`,
    file,
    schema: pointingSchema,
    text: { value: pointingSchema, locate: () => text.locate(at) },
    dialect,
  };
}

/** The folder of a document's file. */
export function folderOf({ path }: Pick<SchemaDocument, "path">): string {
  return dirname(path.replace(/#.*$/, ""));
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
