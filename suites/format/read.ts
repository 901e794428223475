import { readFileSync } from "node:fs";
import { mustBe, readJson, readYaml, type Text, TouchstoneError } from "../../schemas/index.ts";

/** The text of a JSON or YAML file. Throws a usage error for a file that cannot be read. */
export async function textIn(file: string): Promise<Text> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new TouchstoneError("usage", what, { where: file, hint: "give the path of a file", cause });
  }
  return /\.ya?ml$/i.test(file) ? readYaml(bytes, file) : readJson(bytes, file);
}

/** The value of a file in one of our formats. Throws a usage error for a file that is not in it. */
export async function readAs<T>(format: string, file: string): Promise<T> {
  const text = await textIn(file);
  mustBe(format, file, text);
  return text.value as unknown as T;
}
