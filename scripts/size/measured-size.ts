import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../schemas/index.ts";
import { versionIn } from "../documents/row.ts";

/** A schema or an API description to measure. */
export interface MeasuredSize {
  name: string;
  path: string;
  /** In bytes. */
  size: number;
  isDescription: boolean;
}

/** The JSON and YAML files of at least `minBytes` in a folder, the smallest first. */
export function filesToMeasure(folder: string, minBytes: number): MeasuredSize[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(json|ya?ml)$/.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => ({ name, path: join(folder, name), size: statSync(join(folder, name)).size }))
    .filter(({ size }) => size >= minBytes)
    .sort((first, second) => first.size - second.size)
    .map((file) => ({ ...file, isDescription: versionIn(readFileSync(file.path, "utf8")) !== "" }));
}

/** Reads the arguments after the folder: the deadline of each command in seconds, and the words that choose files. */
export function limitsIn(options: readonly string[]): { deadline: number; words: readonly string[] } {
  const flag = options.indexOf("--deadline");
  return flag === -1
    ? { deadline: 60, words: options }
    : { deadline: Number(options[flag + 1]), words: options.toSpliced(flag, 2) };
}

/** The arguments of `generate` for a file. */
export function generateArgs({ path, isDescription }: MeasuredSize): string[] {
  return isDescription
    ? ["generate", path]
    : ["generate", "--schema", schemaArgument(path, readFileSync(path, "utf8"))];
}

/** The argument of `--schema` for a file. If the root does not assert anything, each definition is a document. */
export function schemaArgument(path: string, text: string): string {
  const schema = path.endsWith(".json") ? (JSON.parse(text) as Record<string, unknown>) : {};
  const isEmpty = !Object.keys(schema).some((keyword) => assertingKeywords.has(keyword));
  const definitions = ["$defs", "definitions"].find((name) => schema[name] !== undefined);
  return isEmpty && definitions !== undefined ? `${path}#/${definitions}` : path;
}

const assertingKeywords: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "$ref",
  "oneOf",
  "anyOf",
  "allOf",
  "enum",
  "const",
  "items",
]);

/** The bytes of all files in a folder; 0 if it does not exist. */
export function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return paths.reduce((sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0), 0);
}

/** Reads a file of JSON lines. New lines are appended one by one, so that a stopped command can continue. */
export function linesIn<T>(file: string): { known: T[]; add(line: T): void } {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  // A truncated last line does not count.
  const completeLines = text.split("\n").slice(0, -1);
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const known = completeLines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as T] : []));
  return { known, add: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`) };
}

/** The counts of a pack; undefined if there is no pack. */
export function packIn(
  folder: string,
): { vectors: number; documents: number; isolated: number; proven: number; sites: number } | undefined {
  const file = join(folder, "vectors", "MANIFEST.json");
  if (!existsSync(file)) return undefined;
  const { count, documents } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const sum = (member: "broken" | "sites"): number =>
    documents.reduce((total, document) => total + document[member], 0);
  const unbreakable = documents.flatMap(({ unbroken }) => unbroken).filter(({ kind }) => kind === "unbreakable");
  return {
    vectors: count,
    documents: documents.length,
    isolated: sum("broken"),
    proven: unbreakable.length,
    sites: sum("sites"),
  };
}

/** Formats a Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|---|${"--:|".repeat(head.length - 1)}`, ...rows.map(line)].join("\n");
}
