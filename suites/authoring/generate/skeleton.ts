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
import { refuseOther } from "./foreign-folder.ts";
import { nameFor } from "./name.ts";
import { originPlaces } from "./places.ts";
import { readSamples } from "./samples.ts";
import { SchemaCopier } from "./schema-copy.ts";
import { keptIn, type WantedSet } from "./wanted-set.ts";

export type Formats = Profile["formats"];

/** The options of `generate --schema`. */
export interface PackWanted {
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
  set?: WantedSet | undefined;
}

/** The data of a pack to be written: texts by path within its folder. */
export interface Skeleton {
  folder: string;
  texts: Map<string, string>;
  notes: string[];
  /** The work to do, if it is announced. */
  plan?: string;
  /** The number of operations of a description that are left out because there was no time or room to read them. */
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

/** Makes the profile and the schemas of a pack from a user's own. Throws a usage error for an invalid schema, and for a folder with other content. */
export async function createSkeleton(wanted: PackWanted): Promise<Skeleton> {
  const { schemas: named, refs, samples = [], name: given, out, formats, set } = wanted;
  const schemaFiles = await Promise.all(named.map((each) => schemasMeant(each)));
  const schemas = schemaFiles.flat();
  const [first = ""] = named;
  const name = given ?? (out === undefined ? nameOfPack(first) : undefined);
  if (name !== undefined && !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new TouchstoneError("usage", `"${name}" is not a valid name of a vector set`, {
      hint: "expected lower-case letters, digits and hyphens, beginning with a letter: choose a name with --name",
    });
  const folder = out ?? `./${name}`;
  refuseOther(folder);
  const besides = named.length > 1 ? await besideEachOther(named) : {};
  const loadedSchemas = await loadSeveral(schemas, { refs, ...besides, upgrade: true, lenient: true });
  const files = namedFiles(loadedSchemas, schemas);
  const sources = new Set(loadedSchemas.map((loadedSchemas) => loadedSchemas.source));
  const source = (location: string): Source | undefined => {
    for (const each of sources) {
      const foundSource = each(location);
      if (foundSource !== undefined) return foundSource;
    }
    return undefined;
  };
  const copier = new SchemaCopier();
  const texts = new Map(
    [...files].map(([path, schema]) => [path, copier.copy(schema, source(String(schema.$id))?.file)] as const),
  );
  texts.set(originsFile, originsOf(folder, { schemas: named, refs }, { schemas: files, texts, source }));
  const ownFiles = [...files.keys()].slice(0, schemas.length);
  const { found: messages, notes } = await readSamples(samples, files, ownFiles);
  const values = new Map([...messages].map(([path, all]) => [path, all.map(({ value }) => value)]));
  const profile = profileText(
    folder,
    ownFiles,
    { name, formats, set },
    { samples: values, selectors: selectorsIn(files, ownFiles) },
  );
  if (profile !== undefined) texts.set(profileFile, profile);
  return {
    folder,
    texts,
    notes: [
      ...schemaFiles.flatMap((definitions, index) =>
        definitions.length > 1
          ? [`${named[index]}: the root asserts nothing: each of its ${definitions.length} definitions is a document`]
          : [],
      ),
      ...describeRemaining(folder, ownFiles),
      ...new Set(loadedSchemas.flatMap((loadedSchemas) => loadedSchemas.notes)),
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
  { schemas: named, refs }: Pick<PackWanted, "schemas" | "refs">,
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
  const relativeToPack = (given: string): string =>
    given.replace(/^[^#]+/, (path) => relative(resolve(folder), resolve(path)));
  const files = [...schemas.values()].flatMap(({ $id }) => source(String($id))?.file ?? []).filter(existsSync);
  // The pack's own schemas do not count as other files.
  const others = [...new Set(files)].filter((file) => !texts.has(relativeToPack(file)));
  const digests = others.map((file) => [relativeToPack(file), fileDigest(file)] as const);
  const ownFiles = [...schemas.values()].filter(({ $id }) => others.includes(source(String($id))?.file ?? ""));
  const places = originPlaces(new Map(ownFiles.map((schema) => [String(schema.$id), schema])), folder, source);
  return `${JSON.stringify({
    version,
    made: { schemas: named.map(relativeToPack), refs: refs.map(relativeToPack) },
    files: Object.fromEntries(digests),
    ...(ownFiles.length === 0 || places === undefined ? {} : { places }),
  })}\n`;
}

/** The used schemas, each under its own file name, the given ones first. */
function namedFiles(loadedSchemas: readonly LoadedSchemas[], given: readonly string[]): Map<string, JsonObject> {
  const files = new Map<string, JsonObject>();
  const ids = new Map<string, JsonObject>();
  const add = (id: string, schema: JsonObject, stem: string): void => {
    const before = ids.get(id);
    if (before !== undefined && (before === schema || text(before) === text(schema))) return;
    if (before !== undefined)
      throw new TouchstoneError("usage", `two schemas have the $id ${id}`, { hint: "give each an $id of its own" });
    ids.set(id, schema);
    let path = `schemas/${stem}.schema.json`;
    for (let number = 2; files.has(path); number += 1) path = `schemas/${stem}-${number}.schema.json`;
    files.set(path, schema);
  };
  const idOf = ({ $id }: JsonObject): string => String($id).replace(/#$/, "");
  for (const [index, { entry, schemas }] of loadedSchemas.entries())
    for (const schema of schemas.filter((each) => idOf(each) === entry)) add(entry, schema, stemOf(given[index] ?? ""));
  for (const { entry, schemas, source } of loadedSchemas)
    for (const schema of schemasUsed(schemas, entry).filter((each) => idOf(each) !== entry))
      if (ids.get(idOf(schema)) !== schema)
        add(idOf(schema), schema, stemOf(source(idOf(schema))?.file ?? idOf(schema)));
  return files;
}

/** Members of a profile's documents, by file. */
interface DocumentEntries {
  samples: ReadonlyMap<string, Json[]>;
  selectors: ReadonlyMap<string, JsonObject>;
}

/** The profile with the other members of the existing one; undefined if the existing one is complete. */
function profileText(
  folder: string,
  files: readonly string[],
  { name, formats, set }: Pick<PackWanted, "name" | "formats" | "set">,
  { samples, selectors }: DocumentEntries,
): string | undefined {
  const path = join(folder, profileFile);
  const there = existsSync(path) ? (readJson(readFileSync(path), shownPath(path)).value as JsonObject) : undefined;
  const documents = Array.isArray(there?.documents) ? (there.documents as JsonObject[]) : [];
  const unusedFiles = files.filter((file) => !documents.some((document) => document.file === file));
  const isSet = set === undefined || documents.every(({ kept }) => (kept === "core") === (set === "core"));
  const isSaid = (formats === undefined || formats === there?.formats) && isSet;
  if (there !== undefined && unusedFiles.length === 0 && samples.size === 0 && isSaid) return undefined;
  const withSamples = (document: JsonObject): JsonObject => {
    const ownFiles = samples.get(String(document.file));
    return ownFiles === undefined ? document : { ...document, samples: ownFiles };
  };
  return text({
    $schema: schemaPathFrom("profile", path),
    // The name is written even if it equals that of the folder, so that the vectors keep it if the folder is renamed.
    protocol: name ?? (kebab(basename(resolve(folder))) || "schema"),
    formats: "annotate",
    // Schemas say nothing about bytes that are not UTF-8, and few readers decide how to handle them: many platforms replace them.
    text: { rulings: { encoding: { level: "SHOULD" } } },
    ...there,
    ...(formats === undefined ? {} : { formats }),
    documents: [
      ...documents,
      ...unusedFiles.map((file, index) => ({ ...nameSchema(file, index), ...selectors.get(file) })),
    ].map((document) => keptIn(withSamples(document), set)),
  });
}

/** The selector of each document, by file: the constant that distinguishes its schema from the others. */
function selectorsIn(files: ReadonlyMap<string, JsonObject>, ownFiles: readonly string[]): Map<string, JsonObject> {
  const locations = locateSchemas([...files.values()]);
  const selectors = selectorsOf(ownFiles.map((file) => fixedValuesIn(files.get(file) ?? {}, locations)));
  return new Map(
    ownFiles.flatMap((file, index) => {
      const when = selectors[index] ?? {};
      return Object.keys(when).length === 0 ? [] : [[file, { when }] as const];
    }),
  );
}

/** Documents that the pack had before and that are not given now. */
function describeRemaining(folder: string, files: readonly string[]): string[] {
  const path = join(folder, profileFile);
  const there = existsSync(path) ? (readJson(readFileSync(path), shownPath(path)).value as JsonObject).documents : [];
  const others = (Array.isArray(there) ? there.filter(isObject) : [])
    .map(({ file }) => String(file))
    .filter((file) => !files.includes(file));
  if (others.length === 0) return [];
  return [`${shownPath(path)}: ${others.join(", ")} stay in the pack; remove the obsolete ones and their schemas`];
}

/** If the file name of a document does not begin with a letter, the document is named by its number. */
function nameSchema(file: string, index: number): JsonObject {
  if (documentName(file) === "") return { name: `document-${index + 1}`, file };
  return nameFor(file) === documentName(file) ? { file } : { name: nameFor(file), file };
}

/** The default name of a schema's pack, and of its folder. */
export function nameOfPack(given: string): string {
  return kebab(stemOf(given.replace(/#.*$/, ""))) || "schema";
}

/** The last part of a place in a file. */
function stemOf(path: string): string {
  return (
    basename(decodeURI(path.replace(/^.*#(?=.)/, "")))
      .replace(/\.(json|ya?ml)$/i, "")
      .replace(/\.schema$/i, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[.-]+/, "") || "schema"
  );
}

function text(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
