/** The figures of one document. Time is processor time in seconds; memory is in MiB. */
export interface Figures {
  /** Its path in the folder of documents. */
  file: string;
  size: number;
  vectors: number;
  /** Why there are no other figures. */
  failure?: string;
  seconds?: number;
  mebibytes?: number;
  /** The number of operations or messages in the document, and of those that were processed. */
  all?: number;
  chosen?: number;
  /** Messages about unreadable operations. */
  unread?: string[];
}

/** The figures of a document from the output of the program. */
export function figuresOf(said: string): Omit<Figures, "file" | "size" | "vectors"> {
  const [, chosen, of] = /^plan: ([\d,]+)(?: of ([\d,]+))? (?:operation|message)/m.exec(said) ?? [];
  const usage = said.trimEnd().split("\n").at(-1) ?? "";
  const failure = /^touchstone: (?:\S+:\d+:\d+ (?:\(#\S*\): )?)?(.*)$/m.exec(said)?.[1];
  if (chosen === undefined || !usage.startsWith("{")) return { failure: failure ?? "no plan" };
  const unread = [...said.matchAll(/^nothing is sent to .* cannot be read: .*$/gm)].map(([line]) => line);
  const count = (text: string): number => Number(text.replaceAll(",", ""));
  return { ...JSON.parse(usage), chosen: count(chosen), all: count(of ?? chosen), unread };
}

/** The version of OpenAPI or AsyncAPI in a document; empty for another file. */
export function versionIn(text: string): string {
  const named = /(?:^|[{,])\s*["']?(openapi|asyncapi|swagger)["']?\s*:\s*["']?(\d+(?:\.\d+)+)/m;
  const [, kind = "", version = ""] = named.exec(text) ?? [];
  return kind === "openapi" ? version : `${kind} ${version}`.trim();
}

const head = ["document", "version", "KiB", "operations", "worked on", "not read", "vectors", "s", "MiB"] as const;

/** The cells of a document in the table. */
export function rowOf(figures: Figures, version: string): string[] {
  const { file, size, vectors, failure, seconds, mebibytes, all, chosen, unread = [] } = figures;
  const name = file.replace(/\.\w+$/, "");
  const about = [name, version, String(Math.round(size / 1024))];
  if (failure !== undefined) return [...about, "", "", failure, String(vectors), "", ""];
  const counts = [String(all ?? 0), String(chosen ?? 0), reasons(unread), String(vectors)];
  return [...about, ...counts, seconds?.toFixed(1) ?? "", String(mebibytes ?? "")];
}

/** The number of unreadable operations, by reason; only reasons without quotations are kept. */
function reasons(unread: readonly string[]): string {
  if (unread.length === 0) return "0";
  const counts = new Map<string, number>();
  for (const each of unread) {
    const why = each.replace(/^.*\(#\S*\): |^.*?: (?=[^:]*$)/, "").replace(/"[^"]*"/g, "…");
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => `${count}: ${why}`).join("; ");
}

export function tableOf(rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), "|---|---|--:|--:|--:|---|--:|--:|--:|", ...rows.map(line)].join("\n");
}
