import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, resolve, sep } from "node:path";
import {
  isObject,
  type Json,
  type JsonObject,
  pointer,
  readJson,
  readWhole,
  readYaml,
  shownPath,
  type Text,
  TouchstoneError,
} from "../../schemas/index.ts";

/** A file that was read, and its path as it is shown. */
export interface SourceFile {
  path: string;
  file: string;
  text: Text;
}

/** A value in a file, by JSON Pointer. */
export interface SourcePlace {
  source: SourceFile;
  at: string;
}

/** A document with the files that its references lead to. */
export interface Sources {
  root: SourceFile;
  files: ReadonlyMap<string, SourceFile>;
}

/** Published descriptions go up to a dozen megabytes. */
const mostBytes = 24 * 1024 * 1024;
const mostFiles = 1000;
/** Deeper documents are refused: what reads them goes down by recursion. */
const depth = 500;
const mostSteps = 100;

/**
 * Reads a document, JSON or YAML, and the files in its folder that its references name. Throws a usage error with file, line and pointer for
 * a reference out of the folder or to the network: nothing else is read.
 */
export async function sourcesOf(given: string): Promise<Sources> {
  const path = realpathSync(given);
  const folder = dirname(path);
  const files = new Map<string, SourceFile>();
  let bytes = 0;
  const take = async (each: string): Promise<SourceFile> => {
    const file = shownPath(each);
    bytes += statSync(each).size;
    if (bytes > mostBytes)
      throw new TouchstoneError("usage", `larger than ${mostBytes} bytes, with all that it refers to`, {
        where: file,
        hint: "split it, and give the parts one after another",
      });
    if (files.size === mostFiles)
      throw new TouchstoneError("usage", `refers to more than ${mostFiles} files`, {
        where: file,
        hint: "bundle them",
      });
    const content = readWhole(each);
    const isJson = extname(each).toLowerCase() === ".json" || /^\s*[{[]/.test(content.toString("latin1", 0, 4096));
    const text = isJson ? readJson(content, file, { depth }) : await readYaml(content, file, { depth });
    const source = { path: each, file, text };
    files.set(each, source);
    return source;
  };
  const root = await take(path);
  for (const source of files.values())
    for (const { at, ref } of referencesIn(source.text.value)) {
      const [name = ""] = ref.split("#");
      if (name === "") continue;
      const target = fileOf({ source, at }, ref, name, folder);
      if (!files.has(target)) await take(target);
    }
  return { root, files };
}

/** Every `$ref` that is a text, but for those in examples, which are data. */
function* referencesIn(value: Json): Generator<{ at: string; ref: string }> {
  const open: { value: Json; at: string }[] = [{ value, at: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    if (isObject(next.value) && typeof next.value.$ref === "string") yield { at: next.at, ref: next.value.$ref };
    for (const [name, each] of Object.entries(next.value))
      if (!["example", "default", "const", "enum"].includes(name))
        open.push({ value: each, at: pointer.append(next.at, name) });
  }
}

function fileOf(place: SourcePlace, ref: string, name: string, folder: string): string {
  const hint = "nothing is read from the network, or from outside of the document's folder: put the file beside it";
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(name)) throw fault(place, `the $ref "${ref}" leads out of the folder`, hint);
  const path = resolve(dirname(place.source.path), decoded(name));
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const real = isThere ? realpathSync(path) : path;
  if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    throw fault(place, `the $ref "${ref}" leads out of the folder`, hint);
  if (!isThere || !statSync(real).isFile())
    throw fault(place, `the $ref "${ref}" leads to ${shownPath(path)}, and there is no such file`, hint);
  return real;
}

/** The value there. */
export function valueAt({ source, at }: SourcePlace): Json | undefined {
  return pointer.at(at, source.text.value);
}

export function below({ source, at }: SourcePlace, ...steps: (string | number)[]): SourcePlace {
  return { source, at: steps.reduce<string>((there, step) => pointer.append(there, step), at) };
}

/** Where the reference of a place leads. Throws a usage error where that is nowhere. */
export function followed(sources: Sources, place: SourcePlace, ref: string): SourcePlace {
  const index = `${ref}#`.indexOf("#");
  const name = ref.slice(0, index);
  const at = decoded(ref.slice(index + 1));
  const path = name === "" ? place.source.path : realpathSync(resolve(dirname(place.source.path), decoded(name)));
  const source = sources.files.get(path);
  const target = source === undefined ? undefined : { source, at };
  const isPointer = at === "" || at.startsWith("/");
  if (target === undefined || !isPointer || valueAt(target) === undefined)
    throw fault(below(place, "$ref"), `the $ref "${ref}" leads nowhere`, "name what is there, by JSON Pointer");
  return target;
}

/** The object at a place, or where its reference leads in the end; undefined where nothing is. Throws a usage error for what is no object. */
export function objectAt(sources: Sources, place: SourcePlace): { place: SourcePlace; value: JsonObject } | undefined {
  let here = place;
  for (let step = 0; step < mostSteps; step += 1) {
    const value = valueAt(here);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw fault(here, "an object is expected here", "write it as the specification says");
    if (typeof value.$ref !== "string") return { place: here, value };
    here = followed(sources, here, value.$ref);
  }
  throw fault(place, "the $ref leads back to itself", "refer to what is there");
}

/** The error for a place. */
export function fault({ source, at }: SourcePlace, what: string, hint: string): TouchstoneError {
  const { line, column } = source.text.locate(at);
  const where = `${source.file}:${line}:${column}${at === "" ? "" : ` (#${at})`}`;
  return new TouchstoneError("usage", what, { where, hint });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
