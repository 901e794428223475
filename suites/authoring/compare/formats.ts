import { nearestName, TouchstoneError } from "../../../schemas/index.ts";
import type { CompareFormat } from "./format.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { terminal } from "./terminal.ts";

/** Every format of a comparison, the default first. */
export const formats: readonly CompareFormat[] = [terminal, markdown, json];

/** A format and the file that it is written to, or standard output. */
export interface CompareSink<F extends { name: string } = CompareFormat> {
  format: F;
  file?: string;
}

/** Parses several `FORMAT` or `FORMAT=FILE`; the first format goes to standard output unless another one does. Throws a usage error. */
export function sinksFor<F extends { name: string } = CompareFormat>(
  formatText: readonly string[],
  available: readonly F[] = formats as readonly unknown[] as readonly F[],
): CompareSink<F>[] {
  const sinks = formatText.map((sinkText) => sinkFor(sinkText, available));
  const files = sinks.flatMap(({ file }) => file ?? []);
  const printedSinks = sinks.filter(({ file }) => file === undefined);
  const repeatedFile = files.find((file, index) => files.indexOf(file) !== index);
  if (printedSinks.length > 1 || repeatedFile !== undefined)
    throw new TouchstoneError("usage", `two reports cannot share ${repeatedFile ?? "standard output"}`, {
      hint: "give each report a file of its own: --report markdown=FILE",
    });
  return printedSinks.length === 1 ? sinks : [{ format: available[0] as F }, ...sinks];
}

function sinkFor<F extends { name: string }>(formatText: string, available: readonly F[]): CompareSink<F> {
  const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(formatText) ?? [];
  const names = available.map((format) => format.name);
  const format = available.find((candidate) => candidate.name === name);
  if (format === undefined)
    throw new TouchstoneError("usage", `unknown report format "${name}" of a comparison`, {
      hint: `${nearestName(name, names)}formats: ${names.join(", ")}`,
    });
  if (file === "")
    throw new TouchstoneError("usage", `--report ${formatText} names no file`, { hint: `--report ${name}=FILE` });
  return { format, ...(file === undefined ? {} : { file }) };
}
