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
export async function namedSchema(given: string): Promise<NamedSchema> {
  const index = given.indexOf("#");
  const wholeFile = { file: given, at: "" };
  if (index < 0) return wholeFile;
  const isThere = await findPath(given).then(
    () => true,
    () => false,
  );
  if (isThere) return wholeFile;
  const at = decodeFragment(given.slice(index + 1));
  if (at === "" || at.startsWith("/")) return { file: given.slice(0, index), at };
  throw new TouchstoneError("usage", `"${given}" has no JSON Pointer after its #`, {
    hint: `write it as ${given.slice(0, index)}#/definitions/NAME`,
  });
}

const definitionLists = ["$defs", "definitions"];

/**
 * The schemas that are meant: the schema itself; or each definition, if a list of definitions is named, or the root asserts nothing and only
 * contains definitions, as in published protocols. Throws a usage error for a schema that asserts nothing at all.
 */
export async function schemasMeant(given: string): Promise<string[]> {
  const { file, at } = await namedSchema(given);
  const document = await documentIn(file);
  const value = valueAt(at, document.schema);
  const isList = at !== "" && definitionLists.includes(segments(at).at(-1) as string) && isObject(value);
  if (isList && (asserts(value, document.dialect) === false || Object.values(value).every(isSchema)))
    return definitionsIn(document, at).map((definition) => `${file}#${asUri(definition)}`);
  if (!isObject(value) || asserts(value, document.dialect)) return [given];
  const within = definitionLists.flatMap((name) => definitionsIn(document, append(at, name)));
  if (within.length > 0) return within.map((each) => `${file}#${asUri(each)}`);
  const described = ["openapi", "asyncapi"].find((name) => Object.hasOwn(value, name));
  if (described !== undefined)
    throw faultIn(
      document,
      at,
      `not a schema, but an API description (${described})`,
      `give it without --schema: touchstone generate ${file}, or one of its schemas: ${file}#/components/schemas/NAME`,
    );
  const slips = Object.keys(value).flatMap((name) => {
    const keyword = suggestKeyword(name, document.dialect);
    return keyword === undefined ? [] : [`"${keyword}" for "${name}"`];
  });
  const hint = `${slips.length === 0 ? "" : `did you mean ${slips.join(", ")}? `}name a schema that says something`;
  throw faultIn(document, at, "the schema asserts nothing: it accepts every value", hint);
}

/** The file that is named, read. Throws a usage error. */
export async function documentNamed(given: string): Promise<SchemaDocument> {
  return documentIn((await namedSchema(given)).file);
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
    .filter(([, each]) => isObject(each) && asserts(each, dialect))
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

/** A document with the assertions of the schema at a location in another one. Throws a usage error if nothing is there. */
export function pointing(wholeFile: SchemaDocument, id: string, at: string): SchemaDocument {
  const { path, file, text, schema, dialect } = wholeFile;
  if (!isSchema(valueAt(at, schema))) {
    const known = definitionLists.flatMap((name) => definitionsIn(wholeFile, `/${name}`));
    throw faultIn(wholeFile, "", `there is no schema at #${at}`, `${nearestName(at, known)}name an existing one`);
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
