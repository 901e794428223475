import { readFileSync } from "node:fs";
import { readJson, readYaml, type Text, TouchstoneError } from "../../schemas/index.ts";
import { type Fault, faultsIn } from "./faults.ts";

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

/** Throws a usage error for the first thing in a text that is not of the format, with its line. */
export function mustBe(format: string, file: string, text: Text): void {
  const [first, ...others] = faultsIn(format, text.value);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : `and ${others.length} more; `;
  const hint = `${more}${first.hint ?? `the format is schemas/touchstone/${format}.schema.json`}`;
  throw new TouchstoneError("usage", first.what, { where: placeOf(file, text, first), hint });
}

/** `FILE:LINE:COLUMN (#/pointer)` of a fault. */
export function placeOf(file: string, text: Text, { at }: Pick<Fault, "at">): string {
  const { line, column } = text.locate(at);
  return `${file}:${line}:${column}${at === "" ? "" : ` (#${at})`}`;
}

/** The value of a file in one of our formats. Throws a usage error for a file that is not in it. */
export async function readAs<T>(format: string, file: string): Promise<T> {
  const text = await textIn(file);
  mustBe(format, file, text);
  return text.value as unknown as T;
}
