/** The figures of one document. Time is processor time in seconds; memory is in MiB. */
export interface Figures {
  /** The path of the document in the folder. */
  file: string;
  size: number;
  vectors: number;
  /** The reason why there are no other figures. */
  failure?: string;
  seconds?: number;
  mebibytes?: number;
  /** The number of operations or messages in the document. */
  all?: number;
  /** The number of processed operations or messages. */
  chosen?: number;
  /** Messages about unreadable operations. */
  unread?: string[];
}

/** Reads the figures of a document from the output of the program. */
export function figuresOf(output: string): Omit<Figures, "file" | "size" | "vectors"> {
  const [, chosen, total] = /^plan: ([\d,]+)(?: of ([\d,]+))? (?:operation|message)/m.exec(output) ?? [];
  const usage = output.trimEnd().split("\n").at(-1) ?? "";
  const failure = /^touchstone: (?:\S+:\d+:\d+ (?:\(#\S*\): )?)?(.*)$/m.exec(output)?.[1];
  if (chosen === undefined || !usage.startsWith("{")) return { failure: failure ?? "no plan" };
  const unread = [...output.matchAll(/^nothing is sent to .* cannot be read: .*$/gm)].map(([line]) => line);
  const count = (text: string): number => Number(text.replaceAll(",", ""));
  return { ...JSON.parse(usage), chosen: count(chosen), all: count(total ?? chosen), unread };
}

/** The version of OpenAPI or AsyncAPI in a document; empty for any other file. */
export function versionIn(text: string): string {
  const versionPattern = /(?:^|[{,])\s*["']?(openapi|asyncapi|swagger)["']?\s*:\s*["']?(\d+(?:\.\d+)+)/m;
  const [, kind = "", version = ""] = versionPattern.exec(text) ?? [];
  return kind === "openapi" ? version : `${kind} ${version}`.trim();
}

const head = ["document", "version", "KiB", "operations", "worked on", "not read", "vectors", "s", "MiB"] as const;

/** The cells of a document in the table. */
export function rowOf(figures: Figures, version: string): string[] {
  const { file, size, vectors, failure, seconds, mebibytes, all, chosen, unread = [] } = figures;
  const name = file.replace(/\.\w+$/, "");
  const firstCells = [name, version, String(Math.round(size / 1024))];
  if (failure !== undefined) return [...firstCells, "", "", failure, String(vectors), "", ""];
  const counts = [String(all ?? 0), String(chosen ?? 0), countReasons(unread), String(vectors)];
  return [...firstCells, ...counts, seconds?.toFixed(1) ?? "", String(mebibytes ?? "")];
}

/** Counts unreadable operations by reason. Quotations in reasons are replaced by `…`. */
function countReasons(unread: readonly string[]): string {
  if (unread.length === 0) return "0";
  const counts = new Map<string, number>();
  for (const message of unread) {
    const why = message.replace(/^.*\(#\S*\): |^.*?: (?=[^:]*$)/, "").replace(/"[^"]*"/g, "…");
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => `${count}: ${why}`).join("; ");
}

export function tableOf(rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), "|---|---|--:|--:|--:|---|--:|--:|--:|", ...rows.map(line)].join("\n");
}
