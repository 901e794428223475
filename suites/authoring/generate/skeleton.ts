import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  besideEachOther,
  documentName,
  fileDigest,
  isObject,
  type Json,
  type JsonObject,
  kebab,
  type LoadedSchemas,
  loadSeveral,
  type Misread,
  originsFile,
  type Profile,
  profileFile,
  readJson,
  type Source,
  schemasMeant,
  schemasUsed,
  shownPath,
  TouchstoneError,
  version,
} from "../../../schemas/index.ts";
import { schemaPathFrom } from "../../base/format/address.ts";
import { fixedValuesIn, selectorsOf } from "../../packs/reference/kinds.ts";
import { locateSchemas } from "../../packs/reference/locations.ts";
import { refuseForeignFolder } from "./foreign-folder.ts";
import { nameFor } from "./name.ts";
import { originPlaces } from "./places.ts";
import { readSamples } from "./samples.ts";
import { SchemaCopier } from "./schema-copy.ts";
import { type RequestedSet, withRequestedSet } from "./wanted-set.ts";

export type Formats = Profile["formats"];

/** The options of `generate --schema`. */
export interface PackRequest {
  schemas: readonly string[];
  refs: readonly string[];
  /** Valid messages with values to use: `FILE`, or `DOCUMENT=FILE` if there are several documents; a folder or `.har` of messages. */
  samples?: readonly string[];
  /** The name of the protocol; by default derived from the first file's name. */
  name?: string | undefined;
  /** The folder of the pack; by default a folder with its name. */
  out?: string | undefined;
  /** Whether the keyword `format` asserts; by default as in the existing pack, or else as in 2020-12. */
  formats?: Formats | undefined;
  /** The set that the profile requests from now on. */
  set?: RequestedSet | undefined;
}

/** The data of a pack to be written: texts by path within its folder. */
export interface Skeleton {
  folder: string;
  texts: Map<string, string>;
  notes: string[];
  /** An announcement of the work to do. */
  plan?: string;
  /** The number of operations of a description that are left out for lack of time or space. */
  lateOperations?: number;
  /** The notes about keywords that have no effect at their place and are left out. */
  misread: Misread[];
  /** The file from which a document's sample came, by the document's file and the number of the sample. */
  sampleFile?(document: string | undefined, index: number): string | undefined;
  /** The file and line of a location in the given files. */
  source(location: string): Source | undefined;
  /** Whether the author wrote the part at a location (by default all of it). */
  isWritten?(location: string): boolean;
}

/** Makes the profile and the schemas of a pack from a user's schemas. Throws a usage error for an invalid schema, and for a folder with other content. */
export async function createSkeleton(request: PackRequest): Promise<Skeleton> {
  const { schemas: schemaArguments, refs, samples = [], name: requestedName, out, formats, set } = request;
  const schemaFiles = await Promise.all(schemaArguments.map((schemaArgument) => schemasMeant(schemaArgument)));
  const schemas = schemaFiles.flat();
  const [firstArgument = ""] = schemaArguments;
  const name = requestedName ?? (out === undefined ? nameOfPack(firstArgument) : undefined);
  if (name !== undefined && !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new TouchstoneError("usage", `"${name}" is not a valid name of a vector set`, {
      hint: "expected lower-case letters, digits and hyphens, beginning with a letter: choose a name with --name",
    });
  const folder = out ?? `./${name}`;
  refuseForeignFolder(folder);
  const siblingOptions = schemaArguments.length > 1 ? await besideEachOther(schemaArguments) : {};
  const loadedSchemas = await loadSeveral(schemas, { refs, ...siblingOptions, upgrade: true, lenient: true });
  const files = namedFiles(loadedSchemas, schemas);
  const sources = new Set(loadedSchemas.map((loaded) => loaded.source));
  const source = (location: string): Source | undefined => {
    for (const sourceOf of sources) {
      const place = sourceOf(location);
      if (place !== undefined) return place;
    }
    return undefined;
  };
  const copier = new SchemaCopier();
  const texts = new Map(
    [...files].map(([path, schema]) => [path, copier.copy(schema, source(String(schema.$id))?.file)] as const),
  );
  texts.set(originsFile, originsOf(folder, { schemas: schemaArguments, refs }, { schemas: files, texts, source }));
  const documentFiles = [...files.keys()].slice(0, schemas.length);
  const { samplesByFile: messages, notes } = await readSamples(samples, files, documentFiles);
  const values = new Map([...messages].map(([path, samplesOfFile]) => [path, samplesOfFile.map(({ value }) => value)]));
  const profile = profileText(
    folder,
    documentFiles,
    { name, formats, set },
    { samples: values, selectors: selectorsIn(files, documentFiles) },
  );
  if (profile !== undefined) texts.set(profileFile, profile);
  return {
    folder,
    texts,
    notes: [
      ...schemaFiles.flatMap((definitions, index) =>
        definitions.length > 1
          ? [
              `${schemaArguments[index]}: the root asserts nothing: each of its ${definitions.length} definitions is a document`,
            ]
          : [],
      ),
      ...describeRemaining(folder, documentFiles),
      ...new Set(loadedSchemas.flatMap((loaded) => loaded.notes)),
      ...notes,
    ],
    misread: loadedSchemas.flatMap(({ misread }) => misread),
    sampleFile: (document = "", index) => messages.get(document)?.[index]?.file,
    source,
  };
}

/** The files from which the schemas were made, and the places of their parts in them. */
function originsOf(
  folder: string,
  { schemas: schemaArguments, refs }: Pick<PackRequest, "schemas" | "refs">,
  {
    schemas,
    texts,
    source,
  }: {
    schemas: ReadonlyMap<string, JsonObject>;
    texts: ReadonlyMap<string, string>;
    source: (location: string) => Source | undefined;
  },
): string {
  const relativeToPack = (argument: string): string =>
    argument.replace(/^[^#]+/, (path) => relative(resolve(folder), resolve(path)));
  const files = [...schemas.values()].flatMap(({ $id }) => source(String($id))?.file ?? []).filter(existsSync);
  // The pack's own schemas do not count as other files.
  const otherFiles = [...new Set(files)].filter((file) => !texts.has(relativeToPack(file)));
  const digests = otherFiles.map((file) => [relativeToPack(file), fileDigest(file)] as const);
  const copiedSchemas = [...schemas.values()].filter(({ $id }) => otherFiles.includes(source(String($id))?.file ?? ""));
  const places = originPlaces(new Map(copiedSchemas.map((schema) => [String(schema.$id), schema])), folder, source);
  return `${JSON.stringify({
    version,
    made: { schemas: schemaArguments.map(relativeToPack), refs: refs.map(relativeToPack) },
    files: Object.fromEntries(digests),
    ...(copiedSchemas.length === 0 || places === undefined ? {} : { places }),
  })}\n`;
}

/** The used schemas, each under its own file name, the given ones first. */
function namedFiles(
  loadedSchemas: readonly LoadedSchemas[],
  schemaArguments: readonly string[],
): Map<string, JsonObject> {
  const files = new Map<string, JsonObject>();
  const ids = new Map<string, JsonObject>();
  const addSchema = (id: string, schema: JsonObject, stem: string): void => {
    const existingSchema = ids.get(id);
    if (
      existingSchema !== undefined &&
      (existingSchema === schema || toJsonText(existingSchema) === toJsonText(schema))
    )
      return;
    if (existingSchema !== undefined)
      throw new TouchstoneError("usage", `two schemas have the $id ${id}`, { hint: "give each an $id of its own" });
    ids.set(id, schema);
    let path = `schemas/${stem}.schema.json`;
    for (let suffix = 2; files.has(path); suffix += 1) path = `schemas/${stem}-${suffix}.schema.json`;
    files.set(path, schema);
  };
  const idOf = ({ $id }: JsonObject): string => String($id).replace(/#$/, "");
  for (const [index, { entry, schemas }] of loadedSchemas.entries())
    for (const schema of schemas.filter((candidate) => idOf(candidate) === entry))
      addSchema(entry, schema, stemOf(schemaArguments[index] ?? ""));
  for (const { entry, schemas, source } of loadedSchemas)
    for (const schema of schemasUsed(schemas, entry).filter((candidate) => idOf(candidate) !== entry))
      if (ids.get(idOf(schema)) !== schema)
        addSchema(idOf(schema), schema, stemOf(source(idOf(schema))?.file ?? idOf(schema)));
  return files;
}

/** Members of a profile's documents, by file. */
interface DocumentEntries {
  samples: ReadonlyMap<string, Json[]>;
  selectors: ReadonlyMap<string, JsonObject>;
}

/** Returns the text of the profile, which keeps the other members of an existing profile; undefined if the existing one is complete. */
function profileText(
  folder: string,
  files: readonly string[],
  { name, formats, set }: Pick<PackRequest, "name" | "formats" | "set">,
  { samples, selectors }: DocumentEntries,
): string | undefined {
  const path = join(folder, profileFile);
  const existingProfile = existsSync(path)
    ? (readJson(readFileSync(path), shownPath(path)).value as JsonObject)
    : undefined;
  const documents = Array.isArray(existingProfile?.documents) ? (existingProfile.documents as JsonObject[]) : [];
  const unusedFiles = files.filter((file) => !documents.some((document) => document.file === file));
  const isSet = set === undefined || documents.every(({ kept }) => (kept === "core") === (set === "core"));
  const isUnchanged = (formats === undefined || formats === existingProfile?.formats) && isSet;
  if (existingProfile !== undefined && unusedFiles.length === 0 && samples.size === 0 && isUnchanged) return undefined;
  const withSamples = (document: JsonObject): JsonObject => {
    const fileSamples = samples.get(String(document.file));
    return fileSamples === undefined ? document : { ...document, samples: fileSamples };
  };
  return toJsonText({
    $schema: schemaPathFrom("profile", path),
    // The name is written even if it equals that of the folder, so that the vectors keep it if the folder is renamed.
    protocol: name ?? (kebab(basename(resolve(folder))) || "schema"),
    formats: "annotate",
    // Schemas say nothing about bytes that are not UTF-8, and few readers decide how to handle them: many platforms replace them.
    text: { rulings: { encoding: { level: "SHOULD" } } },
    ...existingProfile,
    ...(formats === undefined ? {} : { formats }),
    documents: [
      ...documents,
      ...unusedFiles.map((file, index) => ({ ...documentEntry(file, index), ...selectors.get(file) })),
    ].map((document) => withRequestedSet(withSamples(document), set)),
  });
}

/** The selector of each document, by file: the constant that distinguishes its schema from the others. */
function selectorsIn(
  files: ReadonlyMap<string, JsonObject>,
  documentFiles: readonly string[],
): Map<string, JsonObject> {
  const locations = locateSchemas([...files.values()]);
  const selectors = selectorsOf(documentFiles.map((file) => fixedValuesIn(files.get(file) ?? {}, locations)));
  return new Map(
    documentFiles.flatMap((file, index) => {
      const when = selectors[index] ?? {};
      return Object.keys(when).length === 0 ? [] : [[file, { when }] as const];
    }),
  );
}

/** A note on documents that the pack already had and that this request does not name. */
function describeRemaining(folder: string, files: readonly string[]): string[] {
  const path = join(folder, profileFile);
  const existingDocuments = existsSync(path)
    ? (readJson(readFileSync(path), shownPath(path)).value as JsonObject).documents
    : [];
  const remainingFiles = (Array.isArray(existingDocuments) ? existingDocuments.filter(isObject) : [])
    .map(({ file }) => String(file))
    .filter((file) => !files.includes(file));
  if (remainingFiles.length === 0) return [];
  return [
    `${shownPath(path)}: ${remainingFiles.join(", ")} stay in the pack; remove the obsolete ones and their schemas`,
  ];
}

/** If the file name of a document does not begin with a letter, the document is named by its number. */
function documentEntry(file: string, index: number): JsonObject {
  if (documentName(file) === "") return { name: `document-${index + 1}`, file };
  return nameFor(file) === documentName(file) ? { file } : { name: nameFor(file), file };
}

/** The default name of a schema's pack, and of its folder. */
export function nameOfPack(schemaArgument: string): string {
  return kebab(stemOf(schemaArgument.replace(/#.*$/, ""))) || "schema";
}

/** A file name, without extensions, from the last part of a path or JSON Pointer. */
function stemOf(path: string): string {
  return (
    basename(decodeURI(path.replace(/^.*#(?=.)/, "")))
      .replace(/\.(json|ya?ml)$/i, "")
      .replace(/\.schema$/i, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[.-]+/, "") || "schema"
  );
}

function toJsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
