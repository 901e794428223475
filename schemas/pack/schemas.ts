import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isStandard } from "../dialect.ts";
import { documentOf, type SchemaDocument } from "../document.ts";
import { TouchstoneError } from "../error.ts";
import { isBeneath, shownPath } from "../files.ts";
import { addDocument, emptyGraph, type Graph, type Reference, type Resource, spotKey } from "../graph.ts";
import type { JsonObject } from "../json.ts";
import type { Source } from "../loaded-schemas.ts";
import { refuseLoops } from "../loops.ts";
import { refuseMisshapen } from "../meta-schema.ts";
import { nearestName } from "../nearest-name.ts";
import { append, at, has, split } from "../pointer.ts";
import { type Followed, publishSchemas } from "../publish.ts";
import { addressIn, addTarget, follow, referenceError } from "../references.ts";
import { fileFor } from "../retrieve.ts";
import { readJson } from "../text.ts";
import type { TextPlace } from "../text-place.ts";
import { readWhole } from "../whole-file.ts";

/** The maximum depth of a schema, since compilers use recursion. */
const depth = 500;

/** The schemas of a pack, checked, in the form for validators. */
export interface PackSchemas {
  /** All schemas, each with an absolute `$id`; those of the given files come first. */
  schemas: JsonObject[];
  /** The `$id` of the schema in each file, by path, and of each requested part, by `PATH#/json/pointer`. */
  ids: ReadonlyMap<string, string>;
  /** Finds the place of a location (`ID#/json/pointer`) in a file. */
  source(location: string): Source | undefined;
}

/**
 * Loads the given files, all JSON in the pack's `schemas/`, and the targets of references within the folder. For `FILE#/json/pointer`, adds a separate
 * schema that refers to this part of the file. Throws a usage error with the line.
 */
export function packSchemas(
  folder: string,
  files: readonly string[],
  inherited: (own: readonly JsonObject[]) => readonly InheritedText[] = () => [],
): PackSchemas {
  const schemaFolder = join(folder, "schemas");
  const graph = emptyGraph(existsSync(schemaFolder) ? schemaFolder : dirname(files[0] ?? folder));
  const addFile = (path: string): Resource => {
    const document = documentOf(path, shownPath(path), readJson(bytesOf(path, folder), shownPath(path), { depth }));
    refuseMisshapen(document, "");
    return addDocument(graph, document);
  };
  for (const file of new Set([
    ...files.map(fileOf),
    ...jsonBeneath(schemaFolder).filter((path) => !isCopy(path, folder)),
  ]))
    addFile(file);
  const parts = [...new Set(files)].flatMap((file) => (file.includes("#") ? [partOf(graph, file)] : []));
  for (const inheritedText of inherited(graph.roots.map(({ id, document }) => ({ ...document.schema, $id: id }))))
    addDocument(graph, inheritedDocument(folder, inheritedText, graph));
  const followedReferences = followAll(graph, (reference) => findTarget(graph, folder, reference, addFile));
  refuseLoops(graph, followedReferences);
  const schemas = publishSchemas(graph, followedReferences, []);
  const ids = new Map(graph.roots.map(({ document, id }) => [document.path, id]));
  const locationOfPart = (location: string): string =>
    parts.reduce((at, { id, of }) => (at.startsWith(`${id}#`) ? of : at), location);
  return { schemas, ids, source: (location) => sourceIn(graph, locationOfPart(location)) };
}

/** The file in `FILE#/json/pointer`. */
export function fileOf(file: string): string {
  return file.replace(/#.*$/, "");
}

/**
 * Adds a separate schema that refers to a part of a file, and returns its `$id` and the location of the part. Throws a usage error if the pointer leads
 * nowhere.
 */
function partOf(graph: Graph, file: string): { id: string; of: string } {
  const root = graph.roots.find(({ document }) => document.path === fileOf(file)) as Resource;
  const { schema, dialect, file: shownFile } = root.document;
  const pointer = file.slice(file.indexOf("#") + 1);
  if (!has(pointer, schema)) {
    const { parent } = split(pointer);
    const siblings = Object.keys(at(parent, schema) ?? {}).map((name) => append(parent, name));
    throw new TouchstoneError("usage", `nothing is at #${pointer}`, {
      where: shownFile,
      hint: `${nearestName(pointer, siblings)}name a part of the file by a JSON Pointer, such as ${basename(shownFile)}#/$defs/order`,
    });
  }
  const base = root.id.replace(/#$/, "");
  const part = encodeURI(pointer);
  const reference = { $ref: `${base}#${part}` };
  const identifiers = {
    ...(schema.$schema === undefined ? {} : { $schema: schema.$schema }),
    [dialect.id]: `${base}${part}`,
  };
  // Before 2019-09, keywords beside $ref have no effect, not even an identifier.
  const text = JSON.stringify({ ...identifiers, ...(dialect.besideRef ? reference : { allOf: [reference] }) });
  const { id } = addDocument(graph, documentOf(file, `${shownFile}#${pointer}`, readJson(text, shownFile)));
  return { id, of: `${base}#${pointer}` };
}

/** A schema that a pack inherits, and the original position of each location in it. */
export interface InheritedText {
  /** The path relative to the pack, as if the file were there. */
  file: string;
  schema: JsonObject;
  source(at: string): Source | undefined;
}

/** The document of an inherited schema. It gets another path if the pack has its own file with that name. */
function inheritedDocument(folder: string, { file, schema, source }: InheritedText, graph: Graph): SchemaDocument {
  const isTaken = graph.roots.some(({ document }) => document.path === join(folder, file));
  const path = join(folder, isTaken ? join("inherited", file) : file);
  const { file: shownFile = shownPath(path) } = source("") ?? {};
  const locate = (at: string): TextPlace => source(at) ?? { line: 1, column: 1 };
  return documentOf(path, shownFile, { value: schema, locate });
}

/** Follows references until none is left. `resolve` loads a target that is still unknown. */
function followAll(graph: Graph, resolve: (reference: Reference) => void): Followed[] {
  const followedReferences: Followed[] = [];
  for (let reference = graph.waiting.shift(); reference !== undefined; reference = graph.waiting.shift()) {
    let target = follow(graph, reference);
    if (target === undefined) {
      resolve(reference);
      target = follow(graph, reference);
    }
    if (target === undefined || target === "standard") continue;
    const { resource, at } = target;
    if (!graph.spots.has(spotKey(resource.document, at))) refuseMisshapen(resource.document, at);
    addTarget(graph, target);
    followedReferences.push({ reference, target });
  }
  return followedReferences;
}

/** Finds the target of a reference by the path of its file, within the folder. Throws a usage error without one. */
function findTarget(graph: Graph, folder: string, reference: Reference, addFile: (path: string) => Resource): void {
  const { url } = addressIn(reference);
  const path = fileFor(reference, url, graph);
  if (path !== undefined && isBeneath(path, folder) && existsSync(path)) {
    const root = graph.roots.find(({ document }) => document.path === path) ?? addFile(path);
    if (url.protocol === "file:" || !Object.hasOwn(root.document.schema, root.document.dialect.id)) {
      graph.resources.set(url.href, root);
      return;
    }
  }
  const knownIds = [...graph.resources.values()].map(({ id }) => id);
  const names = graph.roots.map(({ document }) => relative(dirname(reference.from.document.path), document.path));
  const suggestion =
    nearestName(
      reference.to.replace(/#.*/, ""),
      names.map((name) => name.split(sep).join("/")),
    ) || nearestName(url.href, knownIds);
  const hint = `${suggestion}put the file that contains it into ${shownPath(join(folder, "schemas"))}: nothing is read from elsewhere`;
  throw referenceError(
    reference,
    `leads to ${url.protocol === "file:" ? shownPath(path ?? url.href) : url.href}, which is not there`,
    hint,
  );
}

function sourceIn({ resources }: Graph, location: string): Source | undefined {
  const [id = "", name = ""] = location.split("#");
  const resource = URL.canParse(id) ? resources.get(new URL(id).href) : undefined;
  if (resource === undefined) return undefined;
  const { document, anchors, at } = resource;
  const pointer = anchors.get(name) ?? `${at}${name}`;
  return { file: document.file, ...document.text.locate(pointer), ...(at === "" ? {} : { pointer }) };
}

/** JSON files beneath a folder, in order of name. */
export function jsonBeneath(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !/(^|[/\\])(\.|node_modules)/.test(file))
    .sort()
    .map((file) => join(folder, file));
}

/** Whether a file is a copy of a standard meta-schema. */
function isCopy(path: string, folder: string): boolean {
  const [, id] =
    /"(?:\$id|id)"\s*:\s*"([^"#]*)#?"/.exec(Buffer.from(bytesOf(path, folder)).toString("utf8", 0, 2000)) ?? [];
  return id !== undefined && isStandard(id);
}

function bytesOf(path: string, folder: string): Uint8Array {
  if (isBeneath(path, folder) && existsSync(path) && !isBeneath(realpathSync(path), realpathSync(folder)))
    throw new TouchstoneError("usage", "it is a link out of the pack, which is not followed", {
      where: shownPath(path),
      hint: "put the schema itself there",
    });
  try {
    return readWhole(path);
  } catch (cause) {
    throw new TouchstoneError("usage", `cannot be read: ${(cause as Error).message.replace(/, \w+ '.*$/, "")}`, {
      where: shownPath(path),
      hint: "make it readable, or leave it out",
      cause,
    });
  }
}
