import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** The maximum bytes of a file that is read as a whole: its text and its value are in memory as well. */
export const longestFile: number = 2 ** 27;

/** Paths of inputs from a shell instead of a file: they end when their writer does. */
const handedDescriptor = /^(?:\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

/**
 * Reads a whole file. Its kind and size are checked first: a device, a pipe or a socket, which may have no end, and too large a file are
 * errors with the codes `ESPECIAL` and `EFBIG`; other errors are those of `readFileSync`. Standard input, 0, and inputs from a shell are
 * read to their end, up to the limit.
 */
export function readWhole(file: string | 0, most: number = longestFile): Buffer {
  const isHanded = file === 0 || handedDescriptor.test(file);
  if (process.platform === "win32" && !isHanded) return readFileSync(file);
  const descriptor = file === 0 ? 0 : openSync(file, constants.O_RDONLY | (isHanded ? 0 : constants.O_NONBLOCK));
  try {
    const stats = fstatSync(descriptor);
    // For a folder, the read reports the error itself.
    if (stats.isDirectory()) return readFileSync(descriptor);
    if (stats.isFile() && stats.size > most)
      throw refuseFile("EFBIG", `it has ${stats.size} bytes, and ${most} are read at most`, file);
    if (stats.isFile() && stats.size > 0) return readFileSync(descriptor);
    if (!stats.isFile() && !isHanded)
      throw refuseFile("ESPECIAL", "it is a device, a pipe or a socket, and no file", file);
    return readUpTo(descriptor, most, file);
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}

/** Reads a file of any size part by part. A device, a pipe or a socket is an error, as for `readWhole`. */
export function readParts(file: string, take: (part: Buffer) => void): void {
  const descriptor = openSync(file, constants.O_RDONLY | (process.platform === "win32" ? 0 : constants.O_NONBLOCK));
  try {
    if (!fstatSync(descriptor).isFile())
      throw refuseFile("ESPECIAL", "it is a folder, a device, a pipe or a socket, and no file", file);
    const part = Buffer.allocUnsafe(2 ** 20);
    for (let count = read(descriptor, part, 0); count > 0; count = read(descriptor, part, 0))
      take(part.subarray(0, count));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the whole content, even of files without a known size, such as files in `/proc`. */
function readUpTo(descriptor: number, most: number, file: string | 0): Buffer {
  let buffer = Buffer.allocUnsafe(65_536);
  let size = 0;
  for (;;) {
    if (size === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * size, most + 1));
    const count = read(descriptor, buffer, size);
    if (count === 0) return buffer.subarray(0, size);
    size += count;
    if (size > most) throw refuseFile("EFBIG", `it has more than ${most} bytes`, file);
  }
}

/** Reads into a buffer, and waits while standard input has no data yet. */
function read(descriptor: number, target: Buffer, at: number): number {
  for (;;)
    try {
      return readSync(descriptor, target, at, target.length - at, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
}

function refuseFile(code: string, why: string, file: string | 0): NodeJS.ErrnoException {
  const path = file === 0 ? "standard input" : file;
  return Object.assign(new Error(`${code}: ${why}`), { code, path, syscall: "read" });
}
