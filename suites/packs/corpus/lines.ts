import { join } from "node:path";
import {
  type FileReader,
  filesIn,
  isPackPath,
  type Manifest,
  ownVectors,
  type Report,
  type Run,
  readJson,
  setDigest,
  type VectorFile,
  vectorPath,
} from "../../../schemas/index.ts";

/** The line of a vector in its file, counted from 1. */
export type LineOf = (run: Run, id: string) => number | undefined;

/** The places of a report's vectors, if its set is available: in the package, in the pack, or in the folder given to the run. Files are read on demand. */
export function linesOf({ options: reportOptions }: Pick<Report, "options">): LineOf {
  const finderByRun = new Map<string, LineOf>();
  return (run, id) => {
    const key = `${run.protocol}@${run.version}`;
    const findLine = finderByRun.get(key) ?? linesIn(folderOf(run.options ?? reportOptions), run);
    finderByRun.set(key, findLine);
    return findLine(run, id);
  };
}

function folderOf(options: Report["options"]): string {
  return ownFolder(options) ?? ownVectors;
}

/** The user's folder with the vectors of a run; undefined for built-in ones. */
export function ownFolder(options: Report["options"]): string | undefined {
  const { vectors, protocol = "" } = options ?? {};
  return vectors ?? (isPackPath(protocol) ? join(protocol, "vectors") : undefined);
}

function linesIn(folder: string, reportRun: Run): LineOf {
  const reader = filesIn(folder);
  if (!hasSetOfRun(reader, reportRun)) return () => undefined;
  const finderByPath = new Map<string, (id: string) => number | undefined>();
  return (_run, id) => {
    const path = vectorPath(id);
    if (path === undefined) return undefined;
    const findLine = finderByPath.get(path) ?? lineFinder(reader, path);
    finderByPath.set(path, findLine);
    return findLine(id);
  };
}

/** Whether the folder has the vector set of the run. In another set, the vectors may be on other lines. */
function hasSetOfRun(reader: FileReader, { protocol, version, set }: Run): boolean {
  try {
    const { files } = JSON.parse(reader("MANIFEST.json").toString("utf8")) as Manifest;
    return setDigest(files.filter((file) => file.protocol === protocol && file.version === version)) === set.digest;
  } catch {
    return false;
  }
}

/** Finds the line of a vector in a file by its id. An unreadable file has no lines, and random vectors are in no file. */
function lineFinder(reader: FileReader, path: string): (id: string) => number | undefined {
  try {
    const { value, locate } = readJson(reader(path), path);
    const ids = (value as unknown as VectorFile).tests.map(({ id }) => id);
    return (id) => (ids.includes(id) ? locate(`/tests/${ids.indexOf(id)}`).line : undefined);
  } catch {
    return () => undefined;
  }
}
