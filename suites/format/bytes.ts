import { readWhole, TouchstoneError } from "../../schemas/index.ts";

/** The bytes of a file that a user names. Throws a usage error for one that cannot be read. */
export function bytesIn(file: string, hint = "give the path of a file"): Buffer {
  try {
    return readWhole(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "there is no such file" : `it cannot be read: ${whyNot(cause)}`;
    throw new TouchstoneError("usage", what, { where: file, hint, cause });
  }
}

/** Why a file could not be read, without its path. */
export function whyNot(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === "ESPECIAL" || code === "EFBIG" ? message.replace(/^\w+: /, "") : String(code);
}
