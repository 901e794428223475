import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** The maximum bytes of a file that is read as a whole. Its text and its value need memory as well. */
export const longestFile: number = 2 ** 27;

/** Paths of inputs that a shell passes instead of a file. They end when their writer ends. */
const shellInput = /^(?:\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

/**
 * Reads a whole file. Its kind and size are checked first: a device, a pipe or a socket, which may have no end, and too large a file are
 * errors with the codes `ESPECIAL` and `EFBIG`; other errors are those of `readFileSync`. Standard input, 0, and inputs from a shell are
 * read to their end, up to the limit.
 */
export function readWhole(file: string | 0, maxBytes: number = longestFile): Buffer {
  const isFromShell = file === 0 || shellInput.test(file);
  if (process.platform === "win32" && !isFromShell) return readFileSync(file);
  const descriptor = file === 0 ? 0 : openSync(file, constants.O_RDONLY | (isFromShell ? 0 : constants.O_NONBLOCK));
  try {
    const stats = fstatSync(descriptor);
    // For a folder, the read reports the error itself.
    if (stats.isDirectory()) return readFileSync(descriptor);
    if (stats.isFile() && stats.size > maxBytes)
      throw fileError("EFBIG", `it has ${stats.size} bytes, and ${maxBytes} are read at most`, file);
    if (stats.isFile() && stats.size > 0) return readFileSync(descriptor);
    if (!stats.isFile() && !isFromShell)
      throw fileError("ESPECIAL", "it is a device, a pipe or a socket, and no file", file);
    return readUpTo(descriptor, maxBytes, file);
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}

/** Reads a file of any size part by part. A device, a pipe or a socket is an error, as for `readWhole`. */
export function readParts(file: string, take: (part: Buffer) => void): void {
  const descriptor = openSync(file, constants.O_RDONLY | (process.platform === "win32" ? 0 : constants.O_NONBLOCK));
  try {
    if (!fstatSync(descriptor).isFile())
      throw fileError("ESPECIAL", "it is a folder, a device, a pipe or a socket, and no file", file);
    const part = Buffer.allocUnsafe(2 ** 20);
    for (let count = read(descriptor, part, 0); count > 0; count = read(descriptor, part, 0))
      take(part.subarray(0, count));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the whole content, even of files without a known size, such as files in `/proc`. */
function readUpTo(descriptor: number, maxBytes: number, file: string | 0): Buffer {
  let buffer = Buffer.allocUnsafe(65_536);
  let size = 0;
  for (;;) {
    if (size === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * size, maxBytes + 1));
    const count = read(descriptor, buffer, size);
    if (count === 0) return buffer.subarray(0, size);
    size += count;
    if (size > maxBytes) throw fileError("EFBIG", `it has more than ${maxBytes} bytes`, file);
  }
}

/** Reads into a buffer, and waits while standard input has no data yet. */
function read(descriptor: number, target: Buffer, offset: number): number {
  for (;;)
    try {
      return readSync(descriptor, target, offset, target.length - offset, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
}

function fileError(code: string, why: string, file: string | 0): NodeJS.ErrnoException {
  const path = file === 0 ? "standard input" : file;
  return Object.assign(new Error(`${code}: ${why}`), { code, path, syscall: "read" });
}
