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
import { addressIn, follow, referenceError, takeIn } from "../references.ts";
import { fileFor } from "../retrieve.ts";
import { readJson } from "../text.ts";
import type { TextPlace } from "../text-place.ts";
import { readWhole } from "../whole-file.ts";

/** Deeper schemas are refused, since compilers use recursion. */
const depth = 500;

/** The schemas of a pack, checked, in the form for validators. */
export interface PackSchemas {
  /** The given files first; each with an absolute `$id`. */
  schemas: JsonObject[];
  /** The `$id` of the schema in each file, by path, and of each requested part, by `PATH#/json/pointer`. */
  ids: ReadonlyMap<string, string>;
  /** The place of a location (`ID#/json/pointer`) in a file. */
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
  const shared = join(folder, "schemas");
  const graph = emptyGraph(existsSync(shared) ? shared : dirname(files[0] ?? folder));
  const take = (path: string): Resource => {
    const document = documentOf(path, shownPath(path), readJson(bytesOf(path, folder), shownPath(path), { depth }));
    refuseMisshapen(document, "");
    return addDocument(graph, document);
  };
  for (const file of new Set([...files.map(fileOf), ...jsonBeneath(shared).filter((path) => !isCopy(path, folder))]))
    take(file);
  const parts = [...new Set(files)].flatMap((file) => (file.includes("#") ? [partOf(graph, file)] : []));
  for (const inheritedText of inherited(graph.roots.map(({ id, document }) => ({ ...document.schema, $id: id }))))
    addDocument(graph, inheritedDocument(folder, inheritedText, graph));
  const followed = settle(graph, (reference) => find(graph, folder, reference, take));
  refuseLoops(graph, followed);
  const schemas = publishSchemas(graph, followed, []);
  const ids = new Map(graph.roots.map(({ document, id }) => [document.path, id]));
  const meant = (location: string): string =>
    parts.reduce((at, { id, of }) => (at.startsWith(`${id}#`) ? of : at), location);
  return { schemas, ids, source: (location) => sourceIn(graph, meant(location)) };
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
  const { schema, dialect, file: shown } = root.document;
  const pointer = file.slice(file.indexOf("#") + 1);
  if (!has(pointer, schema)) {
    const { parent } = split(pointer);
    const there = Object.keys(at(parent, schema) ?? {}).map((name) => append(parent, name));
    throw new TouchstoneError("usage", `nothing is at #${pointer}`, {
      where: shown,
      hint: `${nearestName(pointer, there)}name a part of the file by a JSON Pointer, such as ${basename(shown)}#/$defs/order`,
    });
  }
  const base = root.id.replace(/#$/, "");
  const part = encodeURI(pointer);
  const reference = { $ref: `${base}#${part}` };
  const named = {
    ...(schema.$schema === undefined ? {} : { $schema: schema.$schema }),
    [dialect.id]: `${base}${part}`,
  };
  // Before 2019-09, nothing has an effect beside $ref, not even an identifier.
  const text = JSON.stringify({ ...named, ...(dialect.besideRef ? reference : { allOf: [reference] }) });
  const { id } = addDocument(graph, documentOf(file, `${shown}#${pointer}`, readJson(text, shown)));
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
  const { file: shown = shownPath(path) } = source("") ?? {};
  const locate = (at: string): TextPlace => source(at) ?? { line: 1, column: 1 };
  return documentOf(path, shown, { value: schema, locate });
}

/** Follows references until none is left. */
function settle(graph: Graph, look: (reference: Reference) => void): Followed[] {
  const followed: Followed[] = [];
  for (let reference = graph.waiting.shift(); reference !== undefined; reference = graph.waiting.shift()) {
    let target = follow(graph, reference);
    if (target === undefined) {
      look(reference);
      target = follow(graph, reference);
    }
    if (target === undefined || target === "standard") continue;
    const { resource, at } = target;
    if (!graph.spots.has(spotKey(resource.document, at))) refuseMisshapen(resource.document, at);
    takeIn(graph, target);
    followed.push({ reference, target });
  }
  return followed;
}

/** Finds the target of a reference by the path of its file, within the folder. Throws a usage error without one. */
function find(graph: Graph, folder: string, reference: Reference, take: (path: string) => Resource): void {
  const { url } = addressIn(reference);
  const path = fileFor(reference, url, graph);
  if (path !== undefined && isBeneath(path, folder) && existsSync(path)) {
    const root = graph.roots.find(({ document }) => document.path === path) ?? take(path);
    if (url.protocol === "file:" || !Object.hasOwn(root.document.schema, root.document.dialect.id)) {
      graph.resources.set(url.href, root);
      return;
    }
  }
  const there = [...graph.resources.values()].map(({ id }) => id);
  const names = graph.roots.map(({ document }) => relative(dirname(reference.from.document.path), document.path));
  const near =
    nearestName(
      reference.to.replace(/#.*/, ""),
      names.map((name) => name.split(sep).join("/")),
    ) || nearestName(url.href, there);
  const hint = `${near}put the file that holds it into ${shownPath(join(folder, "schemas"))}: nothing is read from elsewhere`;
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
