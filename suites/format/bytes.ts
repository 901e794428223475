import { readFileSync } from "node:fs";
import { TouchstoneError } from "../../schemas/index.ts";

/** The bytes of a file that a user names. Throws a usage error for one that cannot be read. */
export function bytesIn(file: string, hint = "give the path of a file"): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new TouchstoneError("usage", what, { where: file, hint, cause });
  }
}
