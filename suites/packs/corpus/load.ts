import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  digestOf,
  type ErrorKind,
  exactText,
  type FileReader,
  filesIn,
  isObject,
  type Json,
  type Manifest,
  manifestDigest,
  ownVectors,
  type Protocol,
  readJson,
  setDigest,
  TouchstoneError,
  type Vector,
  type VectorFile,
} from "../../../schemas/index.ts";
import { elementTexts } from "./elements.ts";
import { describeMissing, missingVectors, refuseOthers as refuseForeignVectors } from "./vector-fit.ts";

/** The vectors of one protocol, in the order of the manifest. */
export interface VectorSet {
  protocol: string;
  version: string;
  /** The digest of the protocol's files. */
  digest: string;
  files: VectorFile[];
}

function isForeign(protocol: { name: string } | Protocol): protocol is Protocol {
  return "foreign" in protocol && protocol.foreign === true;
}

/** The folder of a protocol's vectors: the pack's own, or the one for all built-in protocols. */
export function vectorsFolder(protocol: { name: string } | Protocol): string {
  return isForeign(protocol) ? join(protocol.folder, "vectors") : ownVectors;
}

/**
 * Reads the vectors of a protocol from a folder with a MANIFEST.json, by default the package's own or the pack's. An unknown protocol or version
 * gives an empty set. Throws a TouchstoneError that names the file if it is missing, damaged, or not the one that the manifest lists: `internal`
 * for the vectors of the package, otherwise a usage error. Throws a usage error for a folder without a manifest, and for a pack's vectors that
 * were made from other schemas.
 */
export function loadVectors(
  protocol: { name: string; version: string } | Protocol,
  folder: string = vectorsFolder(protocol),
): VectorSet {
  const { name, version } = protocol;
  if (typeof name !== "string" || typeof version !== "string")
    throw new TouchstoneError("usage", "expected a protocol", {
      hint: "give its name and version, or the result of protocolNamed",
    });
  const isOwn = isForeign(protocol) && folder === vectorsFolder(protocol);
  if (isOwn && !existsSync(join(folder, "MANIFEST.json"))) throw missingVectors(protocol);
  const read = filesIn(folder);
  const manifest = readManifest(folder, read);
  const listed = listedOf(protocol, manifest);
  const digest = setDigest(listed);
  const before = folder === ownVectors ? cachedSets.get(name)?.deref() : undefined;
  if (before?.digest === digest && before.version === version) return before;
  const seen = new Set<string>();
  const files = listed.map((entry) => readVectors(folder, read, entry, seen));
  if (isOwn) refuseForeignVectors(protocol, folder, { manifest, listed, files });
  const set = { protocol: name, version, digest, files };
  if (folder === ownVectors) cachedSets.set(name, new WeakRef(set));
  return set;
}

/** Sets of the package that were read before, kept while memory allows: a process may ask for one many times. */
const cachedSets = new Map<string, WeakRef<VectorSet>>();

/** A notice about the documents of a pack without vectors, if its generation was stopped before all had some; otherwise empty. */
export function missingLine(protocol: Protocol): string {
  const folder = vectorsFolder(protocol);
  if (!isForeign(protocol) || !existsSync(join(folder, "MANIFEST.json"))) return "";
  const { missing = [] } = readManifest(folder, filesIn(folder));
  return missing.length === 0 ? "" : describeMissing(protocol, missing);
}

/** Finds the vectors of a set by their ids. */
export interface VectorIndex {
  digest: string;
  find(id: string): Vector | undefined;
}

/** The same set for readers of few vectors: reads only files that contain one of them. Throws as `loadVectors` does. */
export function indexVectors(protocol: Protocol, folder: string = vectorsFolder(protocol)): VectorIndex {
  const read = filesIn(folder);
  const listed = listedOf(protocol, readManifest(folder, read));
  const known = new Map<string, Map<string, Vector>>();
  const vectorsIn = (entry: Manifest["files"][number]): Map<string, Vector> => {
    const there = known.get(entry.path);
    if (there !== undefined) return there;
    const { tests } = readVectors(folder, read, entry, new Set());
    const vectors = new Map(tests.map((vector) => [vector.id, vector]));
    known.set(entry.path, vectors);
    return vectors;
  };
  return {
    digest: setDigest(listed),
    find(id) {
      const ofDocument = listed.filter((file) => id.startsWith(`${file.protocol}/${file.version}/${file.document}/`));
      const ofKind = ofDocument.filter(({ path }) => id.startsWith(path.replace(/\.json$/, "/")));
      for (const file of new Set([...ofKind, ...ofDocument])) {
        const found = vectorsIn(file).get(id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function listedOf({ name, version }: { name: string; version: string }, { files }: Manifest): Manifest["files"] {
  return files.filter((file) => file.protocol === name && file.version === version);
}

/** The last manifest that was checked: the protocols of a run share it. */
let sound: { bytes: Buffer; manifest: Manifest } | undefined;

/** Throws a usage error for a folder without a vector set. */
export function mustHaveManifest(folder: string): void {
  if (existsSync(join(folder, "MANIFEST.json"))) return;
  const why = existsSync(folder) ? "the folder has no MANIFEST.json" : "there is no such folder";
  throw new TouchstoneError("usage", `there is no vector set: ${why}`, {
    where: folder,
    hint: "give a folder that `npm run vectors` or `touchstone generate` has written",
  });
}

function readManifest(folder: string, read: FileReader): Manifest {
  const file = join(folder, "MANIFEST.json");
  if (folder !== ownVectors) mustHaveManifest(folder);
  const bytes = bytesOf(file, () => read("MANIFEST.json"));
  if (sound?.bytes.equals(bytes) === true) return sound.manifest;
  const manifest = parse(file, bytes.toString("utf8")) as unknown as Manifest;
  const isWhole =
    isObject(manifest) &&
    Array.isArray(manifest.files) &&
    manifest.files.every(
      (entry) => isObject(entry) && typeof entry.path === "string" && typeof entry.digest === "string",
    );
  if (!isWhole) throw damageError(file, "it lists no files");
  if (manifest.digest !== digestIn(manifest, file)) throw damageError(file, "its digest does not match its content");
  sound = { bytes, manifest };
  return manifest;
}

function digestIn(manifest: Manifest, file: string): string {
  try {
    return manifestDigest(manifest);
  } catch (cause) {
    throw damageError(file, "it has no canonical form, and so no digest", cause);
  }
}

function readVectors(
  folder: string,
  read: FileReader,
  entry: Manifest["files"][number],
  seen: Set<string>,
): VectorFile {
  const file = join(folder, entry.path);
  const bytes = bytesOf(file, () => read(entry.path));
  const digest = digestOf(bytes);
  if (digest !== entry.digest) throw damageError(file, `its digest is ${digest}, MANIFEST.json says ${entry.digest}`);
  const text = bytes.toString("utf8");
  const content = parse(file, text) as unknown as VectorFile;
  if (!isObject(content) || !Array.isArray(content.tests)) throw damageError(file, 'it has no array "tests"');
  if (content.tests.length !== entry.count) {
    throw damageError(file, `it holds ${content.tests.length} vectors, MANIFEST.json says ${entry.count}`);
  }
  content.tests.forEach((vector: Vector, index) => {
    const wrong = fault(vector, seen);
    if (wrong !== undefined) throw damageError(`${file}#/tests/${index}`, wrong);
    seen.add(vector.id);
  });
  return { ...content, tests: asTexts(content.tests, text, file) };
}

/** Gives instances with numbers that are not doubles as the file's own text: only so do they reach a target unchanged. */
function asTexts(tests: Vector[], text: string, file: string): Vector[] {
  const elements = tests.some(isBig) ? elementTexts(text, "tests") : [];
  return tests.map((vector, index) => {
    if (!isBig(vector)) return vector;
    const { data, ...rest } = vector;
    const { number } = readJson(elements[index] as string, `${file}#/tests/${index}`);
    const raw = exactText(data as Json, (at) => number?.(`/data${at}`));
    return raw === JSON.stringify(data) ? vector : { ...rest, raw };
  });
}

function isBig({ data, needs }: Vector): boolean {
  return data !== undefined && needs.includes("big-numbers");
}

/** The fault that makes a vector unusable, if any. */
function fault(vector: Vector, seen: ReadonlySet<string>): string | undefined {
  if (!isObject(vector) || typeof vector.id !== "string") return "it has no id";
  if (seen.has(vector.id)) return `the id ${vector.id} is used twice`;
  const instances = [vector.data, vector.raw, vector.base64].filter((instance) => instance !== undefined);
  if (instances.length !== 1) return 'it needs exactly one of "data", "raw" and "base64"';
  if (vector.valid !== undefined && typeof vector.valid !== "boolean") return '"valid" is neither true nor false';
  if (vector.valid === undefined && !Array.isArray(vector.readings)) return 'it has neither "valid" nor "readings"';
  if (!Array.isArray(vector.needs)) return 'it has no array "needs"';
  const { change = [] } = vector;
  const places = Array.isArray(change) ? [vector.at ?? "", ...change.map((operation) => operation?.path)] : [undefined];
  return places.every(isPointer) ? undefined : '"at" or "change" has a place that is not a JSON Pointer';
}

function isPointer(place: unknown): boolean {
  return typeof place === "string" && /^(\/|$)/.test(place);
}

function bytesOf(file: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      kindOf(file),
      code === "ENOENT" ? "the file is missing" : `the file cannot be read (${code})`,
      {
        where: file,
        hint: repair,
        cause,
      },
    );
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damageError(file, `it is not JSON: ${(cause as Error).message}`, cause);
  }
}

const repair = "restore the vector set from its origin; in a clone of Touchstone, `npm run vectors` builds it";

function damageError(where: string, what: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError(kindOf(where), what, { where, hint: repair, cause });
}

/** The package's vectors are part of the tool; those of a pack, or of a folder that a user names, are input like any other. */
function kindOf(where: string): ErrorKind {
  return where.startsWith(join(ownVectors, "/")) ? "internal" : "usage";
}
