import { createHash } from "node:crypto";
import { readParts, readWhole, TouchstoneError } from "../../../schemas/index.ts";

/** Reads the bytes of a user's file. Throws a usage error if it cannot be read. */
export function readBytes(file: string, hint = "give the path of a file"): Buffer {
  return readOrThrow(file, hint, () => readWhole(file));
}

/** Returns the hexadecimal SHA-256 digest of a user's file of any size. Throws a usage error if it cannot be read. */
export function digestFile(file: string): string {
  const hash = createHash("sha256");
  readOrThrow(file, "give the path of a file", () => readParts(file, (part) => hash.update(part)));
  return hash.digest("hex");
}

function readOrThrow<T>(file: string, hint: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem =
      code === "ENOENT" ? "the file does not exist" : `the file cannot be read: ${describeReadError(cause)}`;
    throw new TouchstoneError("usage", problem, { where: file, hint, cause });
  }
}

/** Describes why a file could not be read, without its path. */
export function describeReadError(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === "ESPECIAL" || code === "EFBIG" ? message.replace(/^\w+: /, "") : String(code);
}
