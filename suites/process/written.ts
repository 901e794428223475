import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Which file is there: another file, or other content, gives another value. Undefined where there is none. */
export type Identity = string | undefined;

export function identityOf(file: string): Identity {
  const there = isStream(file) ? undefined : statsOf(file);
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
 * in its place is replaced, never followed. A device or a pipe is written as it is.
 */
export function replacement(file: string): Replacement {
  const there = statsOf(file);
  if (there !== undefined && isStream(file)) {
    const open = openSync(file, constants.O_WRONLY);
    return { open, put: () => {}, drop: () => closeSync(open) };
  }
  files += 1;
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.${files}.tmp`);
  const open = openSync(beside, "wx");
  return {
    open,
    put() {
      if (there?.isFile() === true) fchmodSync(open, there.mode);
      renameSync(beside, file);
    },
    drop() {
      closeSync(open);
      unlinkSync(beside);
    },
  };
}

/** Whether it is still this file that stands under the name: another process may have put one of its own there. */
export function isInPlace(open: number, file: string): boolean {
  if (isStream(file)) return true;
  const [own, there] = [fstatSync(open), statsOf(file)];
  return there !== undefined && there.dev === own.dev && there.ino === own.ino;
}

/** `/dev/stdout` is a link to one. */
function isStream(file: string): boolean {
  try {
    const there = statSync(file);
    return !there.isFile() && !there.isDirectory();
  } catch {
    return false;
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
    throw error;
  }
  closeSync(open);
}
