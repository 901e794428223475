import { mustBe, readJson, readYaml, type Text, TouchstoneError } from "../../../schemas/index.ts";
import { readBytes } from "./bytes.ts";

/** Reads and parses a JSON or YAML file. Throws a usage error if the file cannot be read. */
export async function readTextFile(file: string): Promise<Text> {
  const bytes = readBytes(file);
  try {
    return await (/\.ya?ml$/i.test(file) ? readYaml(bytes, file) : readJson(bytes, file));
  } catch (error) {
    throw conflictIn(bytes.toString("utf8"), file) ?? error;
  }
}

/** Returns an error if the file contains Git conflict markers; otherwise undefined. */
function conflictIn(text: string, file: string): TouchstoneError | undefined {
  const lines = text.split(/\r?\n/);
  const firstMarker = lines.findIndex((line) => /^<{7}(?: |$)/.test(line));
  if (firstMarker < 0 || !lines.slice(firstMarker).some((line) => /^>{7}(?: |$)/.test(line))) return undefined;
  return new TouchstoneError("usage", "a merge conflict is not resolved", {
    where: `${file}:${firstMarker + 1}`,
    hint: "keep what both sides need, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>",
  });
}

/** Reads the value of a file in one of Touchstone's formats. Throws a usage error if the file does not match the format. */
export async function readAs<T>(format: string, file: string): Promise<T> {
  const text = await readTextFile(file);
  mustBe(format, file, text);
  return text.value as unknown as T;
}
