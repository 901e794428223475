import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../schemas/index.ts";
import { versionIn } from "../documents/row.ts";

/** A schema, or the description of an interface, that is measured. */
export interface MeasuredSize {
  name: string;
  path: string;
  /** Bytes. */
  size: number;
  isDescription: boolean;
}

/** The files of JSON and YAML in a folder, the smallest first, each at least of so many bytes. */
export function measuredIn(folder: string, minBytes: number): MeasuredSize[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(json|ya?ml)$/.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => ({ name, path: join(folder, name), size: statSync(join(folder, name)).size }))
    .filter(({ size }) => size >= minBytes)
    .sort((one, other) => one.size - other.size)
    .map((each) => ({ ...each, isDescription: versionIn(readFileSync(each.path, "utf8")) !== "" }));
}

/** The deadline of each command in seconds, and the words that choose files, from the words after the folder. */
export function limitsIn(options: readonly string[]): { deadline: number; words: readonly string[] } {
  const flag = options.indexOf("--deadline");
  return flag === -1
    ? { deadline: 60, words: options }
    : { deadline: Number(options[flag + 1]), words: options.toSpliced(flag, 2) };
}

/** The arguments of `generate` for a file. */
export function generateArgs({ path, isDescription }: MeasuredSize): string[] {
  return isDescription ? ["generate", path] : ["generate", "--schema", schemaArgument(path, readFileSync(path, "utf8"))];
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

/** Bytes of all files in a folder; 0 without it. */
export function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return paths.reduce((sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0), 0);
}

/** The lines of a file. New lines are added one by one, so that a command that was stopped can go on. */
export function linesIn<T>(file: string): { known: T[]; add(line: T): void } {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  // A last line that was cut off does not count.
  const completeLines = text.split("\n").slice(0, -1);
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const known = completeLines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as T] : []));
  return { known, add: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`) };
}

/** The contents of a pack; undefined without a pack. */
export function packIn(
  folder: string,
): { vectors: number; documents: number; isolated: number; proven: number; sites: number } | undefined {
  const file = join(folder, "vectors", "MANIFEST.json");
  if (!existsSync(file)) return undefined;
  const { count, documents } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const sum = (member: "broken" | "sites"): number => documents.reduce((all, document) => all + document[member], 0);
  const unbreakable = documents.flatMap(({ unbroken }) => unbroken).filter(({ kind }) => kind === "unbreakable");
  return {
    vectors: count,
    documents: documents.length,
    isolated: sum("broken"),
    proven: unbreakable.length,
    sites: sum("sites"),
  };
}

/** A table of Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|---|${"--:|".repeat(head.length - 1)}`, ...rows.map(line)].join("\n");
}
