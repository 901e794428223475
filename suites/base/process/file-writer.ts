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

/** Which file is there: another file, or other content, gives another value. Undefined where there is none. */
export type Identity = string | undefined;

export function identityOf(file: string): Identity {
  const { path, isStream } = placeOf(file);
  const there = isStream ? undefined : statsOf(path);
  return there === undefined ? undefined : `${there.dev}:${there.ino}:${there.size}:${there.mtimeMs}`;
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** All of a text, or an error: a write that the disk has no room for may end early and say nothing. */
export function writeAll(open: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  for (let written = 0; written < bytes.length; ) written += writeSync(open, bytes, written);
}

let files = 0;

/** A file that is being written: `put` shows it to others, `drop` leaves what was there. Both once, and `open` stays open until then or beyond. */
export interface Replacement {
  open: number;
  put(): void;
  drop(): void;
}

/**
 * A file that is written beside its place and put there by its name: whoever reads it finds the old one or the new one, and a link
 * in its place is replaced, never followed. A device, a pipe or an open descriptor is written as it is, also behind links.
 */
export function replacement(file: string): Replacement {
  const { path, isStream } = placeOf(file);
  if (isStream) {
    // A descriptor may be of a file to which others write as well.
    const open = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    return { open, put: () => {}, drop: () => closeSync(open) };
  }
  const there = statsOf(path);
  files += 1;
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.${files}.tmp`);
  const open = openSync(beside, "wx");
  return {
    open,
    put() {
      if (there?.isFile() === true) fchmodSync(open, there.mode);
      renameSync(beside, path);
    },
    drop() {
      closeSync(open);
      unlinkSync(beside);
    },
  };
}

/** Whether it is still this file that stands under the name: another process may have put one of its own there. */
export function isInPlace(open: number, file: string): boolean {
  const { path, isStream } = placeOf(file);
  if (isStream) return true;
  const [own, there] = [fstatSync(open), statsOf(path)];
  return there !== undefined && there.dev === own.dev && there.ino === own.ino;
}

/** What is written under a name: what it leads to where that is a stream, otherwise what stands under the name, link or not. */
export interface Place {
  path: string;
  /** It is written as it is, and nothing is put in its place: no file, or a descriptor that is open already, whatever it is of. */
  isStream: boolean;
}

/** Links in a row that are followed: as many as Linux follows. */
const mostLinks = 40;

/** `/dev/stderr` leads to a descriptor, which may be of a plain file. A link to a plain file is not followed: that file may be anybody's. */
export function placeOf(file: string): Place {
  let path = resolve(file);
  let own: string | undefined;
  for (let links = 0; links < mostLinks; links += 1) {
    const folder = realOrGiven(dirname(path));
    path = join(folder, basename(path));
    if (descriptors.test(folder)) return { path, isStream: true };
    const there = statsOf(path);
    own ??= path;
    if (there?.isSymbolicLink() !== true) {
      const isStream = there !== undefined && (there.isCharacterDevice() || there.isFIFO());
      return { path: isStream ? path : own, isStream };
    }
    path = resolve(folder, readlinkSync(path));
  }
  throw new Error("its links lead on and on");
}

/** The folders of what a process has open. */
const descriptors = /^(\/proc\/(\d+|self|thread-self)(\/task\/\d+)?\/fd|\/dev\/fd)$/;

function realOrGiven(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Writes a file as it is. The error of a full disk, which names none, names it. */
export function writePlainly(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}

/** Writes a file whole, or leaves what was there. */
export function writeWhole(file: string, text: string): void {
  const { open, put, drop } = replacement(file);
  try {
    writeAll(open, text);
    put();
  } catch (error) {
    drop();
    throw Object.assign(error as Error, { path: file });
  }
  closeSync(open);
}
