import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Identifies a version of a file: it changes when the file is replaced or modified. Undefined if there is no file. */
export type Identity = string | undefined;

export function identityOf(file: string): Identity {
  const { path, isStream } = writeTargetOf(file);
  const existing = isStream ? undefined : statsOf(path);
  return existing === undefined ? undefined : `${existing.dev}:${existing.ino}:${existing.size}:${existing.mtimeMs}`;
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes all of a text, or throws: on a full disk, a write may end early without an error. */
export function writeAll(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  for (let writtenBytes = 0; writtenBytes < bytes.length; ) writtenBytes += writeSync(descriptor, bytes, writtenBytes);
}

// The number of temporary files so far; it makes their names unique within the process.
let temporaryFiles = 0;

/** A file being written: `publish` replaces the target, `discard` keeps the old file. Call exactly one of them, once; the descriptor stays open at least until then. */
export interface Replacement {
  descriptor: number;
  publish(): void;
  discard(): void;
}

/** Writes to a temporary file beside the target and renames it at the end, so a reader finds either the old file or the new one. A link in its place is replaced, never followed. A device, a pipe or an open descriptor is written directly, even through links. */
export function replaceFile(file: string): Replacement {
  const { path, isStream } = writeTargetOf(file);
  if (isStream) {
    // Appends, because other processes may write to the same file.
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    return { descriptor, publish: () => {}, discard: () => closeSync(descriptor) };
  }
  const existing = statsOf(path);
  temporaryFiles += 1;
  const temporaryPath = join(dirname(path), `.${basename(path)}.${process.pid}.${temporaryFiles}.tmp`);
  const descriptor = openSync(temporaryPath, "wx");
  return {
    descriptor,
    publish() {
      if (existing?.isFile() === true) fchmodSync(descriptor, existing.mode);
      renameSync(temporaryPath, path);
    },
    discard() {
      closeSync(descriptor);
      unlinkSync(temporaryPath);
    },
  };
}

/** Whether a path still refers to this open file: another process may have replaced it. */
export function isInPlace(descriptor: number, file: string): boolean {
  const { path, isStream } = writeTargetOf(file);
  if (isStream) return true;
  const [openStats, existing] = [fstatSync(descriptor), statsOf(path)];
  return existing !== undefined && existing.dev === openStats.dev && existing.ino === openStats.ino;
}

/** The object to write to: the target of a link if that is a stream, otherwise the path itself, even if it is a link. */
export interface WriteTarget {
  path: string;
  /** Whether the object is written directly and never replaced: not a plain file, or an open descriptor of any kind. */
  isStream: boolean;
}

/** How many links in a row are followed; Linux has the same limit. */
const maxLinks = 40;

/** Finds the object to write to. `/dev/stderr` leads to a descriptor, possibly of a plain file. A link to a plain file is not followed: that file may belong to another user. */
export function writeTargetOf(file: string): WriteTarget {
  let path = resolve(file);
  let firstPath: string | undefined;
  for (let followedLinks = 0; followedLinks < maxLinks; followedLinks += 1) {
    const folder = realPathOrSame(dirname(path));
    path = join(folder, basename(path));
    if (descriptorFolder.test(folder)) return { path, isStream: true };
    const existing = statsOf(path);
    firstPath ??= path;
    if (existing?.isSymbolicLink() !== true) {
      const isStream = existing !== undefined && (existing.isCharacterDevice() || existing.isFIFO());
      return { path: isStream ? path : firstPath, isStream };
    }
    path = resolve(folder, readlinkSync(path));
  }
  throw new Error("its symbolic links form a loop");
}

/** The folders that list a process's open descriptors. */
const descriptorFolder = /^(\/proc\/(\d+|self|thread-self)(\/task\/\d+)?\/fd|\/dev\/fd)$/;

function realPathOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Writes a file directly. Adds the path to the error of a full disk, which lacks it. */
export function writePlainly(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}

/** Writes a file completely, or keeps the old one. */
export function writeWhole(file: string, text: string): void {
  const { descriptor, publish, discard } = replaceFile(file);
  try {
    writeAll(descriptor, text);
    publish();
  } catch (error) {
    discard();
    throw Object.assign(error as Error, { path: file });
  }
  closeSync(descriptor);
}
