import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import {
  isObject,
  type Json,
  type JsonObject,
  pointer,
  readJson,
  readWhole,
  readYaml,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { resourceAt, schemaAtAnchor, schemaWithId } from "./anchors.ts";
import { maxBytes } from "./description-names.ts";
import type { SourceFile, SourcePlace } from "./place.ts";
import { findByAddress, isWithin, projectOf } from "./server-addresses.ts";

export type { SourceFile, SourcePlace } from "./place.ts";

/** A document with the files to which its references lead. */
export interface Sources {
  root: SourceFile;
  files: ReadonlyMap<string, SourceFile>;
  /** The files that have an address as their `$id`, by that address. */
  addresses: ReadonlyMap<string, string>;
  /** Why references cannot be followed, by place. Only references that are used matter. */
  broken: ReadonlyMap<string, TouchstoneError>;
}

/** The maximum number of files that are read with a document. */
const fileLimit = 20_000;
/** Deeper documents are refused, because readers use recursion. */
const maxDepth = 500;
/** The maximum number of references in a row. */
const maxSteps = 100;

/**
 * Reads a document, JSON or YAML, and the files of its project to which its references lead. Nothing else is read. A reference to the network or to
 * an unreadable file is an error only when it is followed, since data and extensions may also contain references. Throws a usage error for the document
 * itself.
 */
export async function sourcesOf(documentPath: string, maxFiles: number = fileLimit): Promise<Sources> {
  const path = realpathSync(documentPath);
  const project = projectOf(path);
  const addresses = new Map<string, string>();
  const files = new Map<string, SourceFile>();
  let bytes = 0;
  const readOnce = async (filePath: string): Promise<SourceFile> => {
    const file = shownPath(filePath);
    const { size } = statSync(filePath);
    if (bytes + size > maxBytes)
      throw new TouchstoneError("usage", `larger than ${maxBytes} bytes, together with the files that it refers to`, {
        where: file,
        hint: "split it, and give the parts one after another",
      });
    if (files.size === maxFiles)
      throw new TouchstoneError("usage", `it refers to more than ${maxFiles} files, so this file is not read`, {
        where: file,
        hint: "bundle them into one document",
      });
    bytes += size;
    const content = withoutByteOrderMark(readWhole(filePath));
    const isJson = extname(filePath).toLowerCase() === ".json" || /^\s*[{[]/.test(content.toString("latin1", 0, 4096));
    const text = isJson
      ? readJson(content, file, { depth: maxDepth })
      : await readYaml(content, file, { depth: maxDepth });
    const source = { path: filePath, file, text };
    files.set(filePath, source);
    return source;
  };
  const root = await readOnce(path);
  const broken = new Map<string, TouchstoneError>();
  const unreadable = new Map<string, TouchstoneError>();
  const follow = async (place: SourcePlace, ref: string): Promise<void> => {
    let target: string | undefined;
    try {
      target = fileOf(place, ref, { project, addresses });
      const earlierError = unreadable.get(target);
      if (earlierError !== undefined) throw earlierError;
      if (!files.has(target)) await readOnce(target);
    } catch (cause) {
      const error = cause instanceof TouchstoneError ? cause : unusableReference(place, ref, cause);
      if (target !== undefined) unreadable.set(target, error);
      broken.set(keyOf(place), error);
    }
  };
  for (const source of files.values())
    for (const { at, ref } of referencesIn(source.text.value))
      if (ref !== "" && !ref.startsWith("#")) await follow({ source, at }, ref);
  return { root, files, addresses, broken };
}

/** The content without the byte order mark that .NET writes. Readers may ignore it (RFC 8259, 8.1). */
function withoutByteOrderMark(content: Buffer): Buffer {
  return content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function keyOf({ source, at }: SourcePlace): string {
  return `${source.path}#${at}`;
}

function unusableReference(place: SourcePlace, ref: string, cause: unknown): TouchstoneError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return faultAt(
    place,
    `the $ref "${ref}" leads to a file that cannot be read: ${why}`,
    "name a file that can be read",
  );
}

/** Every `$ref` with a text as its value, even in data: any member may be called `default` or `example`. */
function* referencesIn(value: Json): Generator<{ at: string; ref: string }> {
  const pending: { value: Json; at: string }[] = [{ value, at: "" }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part.value !== "object" || part.value === null) continue;
    if (isObject(part.value) && typeof part.value.$ref === "string") yield { at: part.at, ref: part.value.$ref };
    for (const [name, child] of Object.entries(part.value))
      pending.push({ value: child, at: pointer.append(part.at, name) });
  }
}

function fileOf(
  place: SourcePlace,
  ref: string,
  { project, addresses }: { project: string; addresses: Map<string, string> },
): string {
  const [name = ""] = ref.split("#");
  const hint = `only files below ${shownPath(project)} are read, nothing from the network: put the file there`;
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(name)) {
    const addressedFile = addresses.get(name) ?? findByAddress(name, place.source.path, project);
    if (addressedFile === undefined) throw faultAt(place, `the $ref "${ref}" leads outside the project folder`, hint);
    addresses.set(name, addressedFile);
    return addressedFile;
  }
  const path = resolve(dirname(place.source.path), decodeFragment(name));
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const realPath = exists ? realpathSync(path) : path;
  if (!isWithin(realPath, project)) throw faultAt(place, `the $ref "${ref}" leads outside the project folder`, hint);
  if (!exists || !statSync(realPath).isFile())
    throw faultAt(place, `the $ref "${ref}" leads to ${shownPath(path)}, and there is no such file`, hint);
  return realPath;
}

/** The value at a place. */
export function valueAt({ source, at }: SourcePlace): Json | undefined {
  return pointer.at(at, source.text.value);
}

export function placeBelow({ source, at }: SourcePlace, ...steps: (string | number)[]): SourcePlace {
  return { source, at: steps.reduce<string>((parentPointer, step) => pointer.append(parentPointer, step), at) };
}

/** The target of the reference at a place. Throws a usage error if it does not exist. */
export function followReference(
  sources: Sources,
  place: SourcePlace,
  ref: string,
  keyword: "$ref" | "$dynamicRef" = "$ref",
): SourcePlace {
  const index = `${ref}#`.indexOf("#");
  const name = ref.slice(0, index);
  const fragment = decodeFragment(ref.slice(index + 1));
  const idPointer = name === "" ? undefined : schemaWithId(place, name);
  const brokenError = idPointer === undefined ? sources.broken.get(keyOf(place)) : undefined;
  if (brokenError !== undefined) throw brokenError;
  const source =
    name === "" || idPointer !== undefined
      ? place.source
      : sources.files.get(sources.addresses.get(name) ?? pathOf(place, name));
  const startPlace = name === "" ? place : { source: source ?? place.source, at: idPointer ?? "" };
  const at =
    fragment === "" || fragment.startsWith("/")
      ? pointerFrom(startPlace, fragment)
      : source && schemaAtAnchor(startPlace, fragment);
  const target = source === undefined || at === undefined ? undefined : { source, at };
  if (target === undefined || valueAt(target) === undefined)
    throw faultAt(
      placeBelow(place, keyword),
      `the ${keyword} "${ref}" leads nowhere`,
      "name an existing part, by JSON Pointer or $anchor",
    );
  return target;
}

/** Resolves a pointer relative to its resource, or else to the file, as many documents write it. */
function pointerFrom(from: SourcePlace, fragment: string): string {
  const resourcePointer = `${resourceAt(from)}${fragment}`;
  return valueAt({ source: from.source, at: resourcePointer }) === undefined ? fragment : resourcePointer;
}

function pathOf({ source }: SourcePlace, name: string): string {
  const path = resolve(dirname(source.path), decodeFragment(name));
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
}

/** The object at a place, or the final target of its reference; undefined if there is nothing. Throws a usage error for any value other than an object. */
export function objectAt(sources: Sources, place: SourcePlace): { place: SourcePlace; value: JsonObject } | undefined {
  let current = place;
  for (let step = 0; step < maxSteps; step += 1) {
    const value = valueAt(current);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw faultAt(current, "expected an object", "write it as the specification says");
    if (typeof value.$ref !== "string") return { place: current, value };
    current = followReference(sources, current, value.$ref);
  }
  throw faultAt(
    place,
    `the $ref leads back to itself, or through more than ${maxSteps} others`,
    "refer to an existing part",
  );
}

/** The error for a fault at a place. */
export function faultAt({ source, at }: SourcePlace, what: string, hint: string): TouchstoneError {
  const { line, column } = source.text.locate(at);
  const where = `${source.file}:${line}:${column}${at === "" ? "" : ` (#${at})`}`;
  return new TouchstoneError("usage", what, { where, hint });
}

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
