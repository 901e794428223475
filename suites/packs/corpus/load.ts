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
import { describeMissing, missingVectors, refuseForeignVectors } from "./vector-fit.ts";

/** The vectors of one protocol, with its files in the order of the manifest. */
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
 * Reads the vectors of a protocol from a folder with a MANIFEST.json, by default the package's own or the pack's. The set is empty for an
 * unknown protocol or version. Throws a TouchstoneError that names the file if it is missing, damaged, or not the one that the manifest lists: `internal`
 * for the vectors of the package, otherwise a usage error. Throws a usage error for a folder without a manifest, and for a pack's vectors that
 * were generated from different schemas.
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
  const reader = filesIn(folder);
  const manifest = readManifest(folder, reader);
  const entries = entriesOf(protocol, manifest);
  const digest = setDigest(entries);
  const cached = folder === ownVectors ? cachedSets.get(name)?.deref() : undefined;
  if (cached?.digest === digest && cached.version === version) return cached;
  const seenIds = new Set<string>();
  const files = entries.map((entry) => readVectors(folder, reader, entry, seenIds));
  if (isOwn) refuseForeignVectors(protocol, folder, { manifest, entries, files });
  const vectorSet = { protocol: name, version, digest, files };
  if (folder === ownVectors) cachedSets.set(name, new WeakRef(vectorSet));
  return vectorSet;
}

/** The package's sets that this process has read, kept while memory allows because a set may be loaded many times. */
const cachedSets = new Map<string, WeakRef<VectorSet>>();

/** A notice that names the documents without vectors, if generation of the pack was stopped early; otherwise empty. */
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

/** An index of the same set for callers that need few vectors: it reads only the files that contain them. Throws as `loadVectors` does. */
export function indexVectors(protocol: Protocol, folder: string = vectorsFolder(protocol)): VectorIndex {
  const reader = filesIn(folder);
  const entries = entriesOf(protocol, readManifest(folder, reader));
  const vectorsByPath = new Map<string, Map<string, Vector>>();
  const vectorsIn = (entry: Manifest["files"][number]): Map<string, Vector> => {
    const alreadyRead = vectorsByPath.get(entry.path);
    if (alreadyRead !== undefined) return alreadyRead;
    const { tests } = readVectors(folder, reader, entry, new Set());
    const vectors = new Map(tests.map((vector) => [vector.id, vector]));
    vectorsByPath.set(entry.path, vectors);
    return vectors;
  };
  return {
    digest: setDigest(entries),
    find(id) {
      const documentEntries = entries.filter((file) =>
        id.startsWith(`${file.protocol}/${file.version}/${file.document}/`),
      );
      const kindEntries = documentEntries.filter(({ path }) => id.startsWith(path.replace(/\.json$/, "/")));
      for (const file of new Set([...kindEntries, ...documentEntries])) {
        const vector = vectorsIn(file).get(id);
        if (vector !== undefined) return vector;
      }
      return undefined;
    },
  };
}

function entriesOf({ name, version }: { name: string; version: string }, { files }: Manifest): Manifest["files"] {
  return files.filter((file) => file.protocol === name && file.version === version);
}

/** The last manifest that was checked, kept because the protocols of a run share it. */
let lastChecked: { bytes: Buffer; manifest: Manifest } | undefined;

/** Throws a usage error for a folder without a vector set. */
export function mustHaveManifest(folder: string): void {
  if (existsSync(join(folder, "MANIFEST.json"))) return;
  const reason = existsSync(folder) ? "the folder has no MANIFEST.json" : "there is no such folder";
  throw new TouchstoneError("usage", `there is no vector set: ${reason}`, {
    where: folder,
    hint: "give a folder written by `npm run vectors` or `touchstone generate`",
  });
}

function readManifest(folder: string, reader: FileReader): Manifest {
  const file = join(folder, "MANIFEST.json");
  if (folder !== ownVectors) mustHaveManifest(folder);
  const bytes = bytesOf(file, () => reader("MANIFEST.json"));
  if (lastChecked?.bytes.equals(bytes) === true) return lastChecked.manifest;
  const manifest = parseFile(file, bytes.toString("utf8")) as unknown as Manifest;
  const isWellFormed =
    isObject(manifest) &&
    Array.isArray(manifest.files) &&
    manifest.files.every(
      (entry) => isObject(entry) && typeof entry.path === "string" && typeof entry.digest === "string",
    );
  if (!isWellFormed) throw damageError(file, "it lists no files");
  if (manifest.digest !== computeDigest(manifest, file))
    throw damageError(file, "its digest does not match its content");
  lastChecked = { bytes, manifest };
  return manifest;
}

function computeDigest(manifest: Manifest, file: string): string {
  try {
    return manifestDigest(manifest);
  } catch (cause) {
    throw damageError(file, "it has no canonical form, and so no digest", cause);
  }
}

function readVectors(
  folder: string,
  reader: FileReader,
  entry: Manifest["files"][number],
  seenIds: Set<string>,
): VectorFile {
  const file = join(folder, entry.path);
  const bytes = bytesOf(file, () => reader(entry.path));
  const digest = digestOf(bytes);
  if (digest !== entry.digest) throw damageError(file, `its digest is ${digest}, MANIFEST.json says ${entry.digest}`);
  const text = bytes.toString("utf8");
  const content = parseFile(file, text) as unknown as VectorFile;
  if (!isObject(content) || !Array.isArray(content.tests)) throw damageError(file, 'expected an array "tests"');
  if (content.tests.length !== entry.count) {
    throw damageError(file, `it contains ${content.tests.length} vectors, MANIFEST.json says ${entry.count}`);
  }
  content.tests.forEach((vector: Vector, index) => {
    const vectorFault = faultIn(vector, seenIds);
    if (vectorFault !== undefined) throw damageError(`${file}#/tests/${index}`, vectorFault);
    seenIds.add(vector.id);
  });
  return { ...content, tests: withExactTexts(content.tests, text, file) };
}

/** Replaces instances that contain numbers beyond double precision by their text in the file: only then do they reach a target unchanged. */
function withExactTexts(tests: Vector[], text: string, file: string): Vector[] {
  const elements = tests.some(needsBigNumbers) ? elementTexts(text, "tests") : [];
  return tests.map((vector, index) => {
    if (!needsBigNumbers(vector)) return vector;
    const { data, ...otherMembers } = vector;
    const { number } = readJson(elements[index] as string, `${file}#/tests/${index}`);
    const raw = exactText(data as Json, (at) => number?.(`/data${at}`));
    return raw === JSON.stringify(data) ? vector : { ...otherMembers, raw };
  });
}

function needsBigNumbers({ data, needs }: Vector): boolean {
  return data !== undefined && needs.includes("big-numbers");
}

/** The fault that makes a vector unusable, if any. */
function faultIn(vector: Vector, seenIds: ReadonlySet<string>): string | undefined {
  if (!isObject(vector) || typeof vector.id !== "string") return "it has no id";
  if (seenIds.has(vector.id)) return `the id ${vector.id} is used twice`;
  const instances = [vector.data, vector.raw, vector.base64].filter((instance) => instance !== undefined);
  if (instances.length !== 1) return 'it needs exactly one of "data", "raw" and "base64"';
  if (vector.valid !== undefined && typeof vector.valid !== "boolean") return '"valid" is neither true nor false';
  if (vector.valid === undefined && !Array.isArray(vector.readings)) return 'it has neither "valid" nor "readings"';
  if (!Array.isArray(vector.needs)) return 'it has no array "needs"';
  const { change = [] } = vector;
  const pointers = Array.isArray(change)
    ? [vector.at ?? "", ...change.map((operation) => operation?.path)]
    : [undefined];
  return pointers.every(isPointer) ? undefined : '"at" or "change" has a value that is not a JSON Pointer';
}

function isPointer(value: unknown): boolean {
  return typeof value === "string" && /^(\/|$)/.test(value);
}

function bytesOf(file: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      errorKindOf(file),
      code === "ENOENT" ? "the file is missing" : `the file cannot be read (${code})`,
      {
        where: file,
        hint: repairHint,
        cause,
      },
    );
  }
}

function parseFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damageError(file, `it is not JSON: ${(cause as Error).message}`, cause);
  }
}

const repairHint = "restore the vector set from its source; in a clone of Touchstone, `npm run vectors` builds it";

function damageError(where: string, problem: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError(errorKindOf(where), problem, { where, hint: repairHint, cause });
}

/** The kind of error for a damaged set: the package's vectors are part of the tool, and all other sets are input. */
function errorKindOf(where: string): ErrorKind {
  return where.startsWith(join(ownVectors, "/")) ? "internal" : "usage";
}
