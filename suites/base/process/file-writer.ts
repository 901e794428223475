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

/** Identifies a file and its content: it changes when either does. Undefined if there is no file. */
export type Identity = string | undefined;

export function identityOf(file: string): Identity {
  const { path, isStream } = placeOf(file);
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
export function writeAll(open: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  for (let writtenBytes = 0; writtenBytes < bytes.length; ) writtenBytes += writeSync(open, bytes, writtenBytes);
}

// Numbers the temporary files of the process, so that no two writers share one.
let files = 0;

/** A file being written: `put` publishes it, `drop` keeps the old one. Call exactly one of them, once; `open` stays open at least until then. */
export interface Replacement {
  open: number;
  put(): void;
  drop(): void;
}

/** Writes to a temporary file beside the target and renames it at the end, so a reader finds either the old file or the new one. A link in its place is replaced, never followed. A device, a pipe or an open descriptor is written directly, even through links. */
export function replaceFile(file: string): Replacement {
  const { path, isStream } = placeOf(file);
  if (isStream) {
    // Others may write to the file behind the descriptor as well.
    const open = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    return { open, put: () => {}, drop: () => closeSync(open) };
  }
  const existing = statsOf(path);
  files += 1;
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.${files}.tmp`);
  const open = openSync(beside, "wx");
  return {
    open,
    put() {
      if (existing?.isFile() === true) fchmodSync(open, existing.mode);
      renameSync(beside, path);
    },
    drop() {
      closeSync(open);
      unlinkSync(beside);
    },
  };
}

/** Whether the name still refers to this file: another process may have replaced it. */
export function isInPlace(open: number, file: string): boolean {
  const { path, isStream } = placeOf(file);
  if (isStream) return true;
  const [ownPath, existing] = [fstatSync(open), statsOf(path)];
  return existing !== undefined && existing.dev === ownPath.dev && existing.ino === ownPath.ino;
}

/** The object under a name: the target of a link if that is a stream, otherwise the entry itself, link or not. */
export interface FilePlace {
  path: string;
  /** Whether it is written directly and never replaced: not a plain file, or an open descriptor of any kind. */
  isStream: boolean;
}

/** How many links in a row are followed; Linux has the same limit. */
const maxLinks = 40;

/** The object under a path. `/dev/stderr` leads to a descriptor, possibly of a plain file. A link to a plain file is not followed: that file may belong to another user. */
export function placeOf(file: string): FilePlace {
  let path = resolve(file);
  let ownPath: string | undefined;
  for (let links = 0; links < maxLinks; links += 1) {
    const folder = realOrGiven(dirname(path));
    path = join(folder, basename(path));
    if (descriptors.test(folder)) return { path, isStream: true };
    const existing = statsOf(path);
    ownPath ??= path;
    if (existing?.isSymbolicLink() !== true) {
      const isStream = existing !== undefined && (existing.isCharacterDevice() || existing.isFIFO());
      return { path: isStream ? path : ownPath, isStream };
    }
    path = resolve(folder, readlinkSync(path));
  }
  throw new Error("its symbolic links form a loop");
}

/** The folders that list a process's open descriptors. */
const descriptors = /^(\/proc\/(\d+|self|thread-self)(\/task\/\d+)?\/fd|\/dev\/fd)$/;

function realOrGiven(folder: string): string {
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
  const { open, put, drop } = replaceFile(file);
  try {
    writeAll(open, text);
    put();
  } catch (error) {
    drop();
    throw Object.assign(error as Error, { path: file });
  }
  closeSync(open);
}
