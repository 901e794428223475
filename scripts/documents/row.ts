import { basename } from "node:path";

/** The figures of one document. Times are of the processor, in seconds; memory is in MiB. */
export interface Figures {
  file: string;
  outline: Part<{ version: string; kib: number; names: string[] }>;
  /** Undefined where it was not measured. */
  whole?: Part<{ seconds?: number; mebibytes: number; unread: string[]; operations: number }>;
  /** Of one operation alone; undefined where it was not measured. */
  few?: Part<{ vectors: number; seconds: number; mebibytes: number }>;
}

type Part<T> = (T & { failure?: undefined }) | { failure: string };

/** The figures of a document as a whole, by what was said of it. */
export function wholeOf(said: string): NonNullable<Figures["whole"]> {
  const operations = /^plan: ([\d,]+) operation/m.exec(said)?.[1];
  const failure = /^touchstone: (?:\S+:\d+:\d+ )?(.*)$/m.exec(said)?.[1];
  const usage = said.trimEnd().split("\n").at(-1) ?? "";
  if (operations === undefined || !usage.startsWith("{")) return { failure: failure ?? "no plan" };
  const unread = [...said.matchAll(/^nothing is sent to .* cannot be read: .*$/gm)].map(([line]) => line);
  return { ...JSON.parse(usage), unread, operations: Number(operations.replaceAll(",", "")) };
}

const head = [
  "document",
  "version",
  "KiB",
  "operations",
  "not read",
  "s",
  "MiB",
  "vectors of one",
  "s",
  "MiB",
] as const;

/** The cells of a document in the table. */
export function rowOf({ file, outline, whole, few }: Figures): string[] {
  const name = basename(file).replace(/\.\w+$/, "");
  const said = outline.failure === undefined ? [outline.version, String(outline.kib)] : [outline.failure, ""];
  const read =
    whole === undefined
      ? [outline.failure === undefined ? String(outline.names.length) : "", "not measured", "", ""]
      : whole.failure === undefined
        ? [String(whole.operations), reasons(whole.unread), whole.seconds?.toFixed(1) ?? "", String(whole.mebibytes)]
        : ["", whole.failure, "", ""];
  const made =
    few === undefined
      ? ["", "", ""]
      : few.failure === undefined
        ? [String(few.vectors), few.seconds.toFixed(1), String(few.mebibytes)]
        : [few.failure, "", ""];
  return [name, ...said, ...read, ...made];
}

/** How many operations cannot be read, by their reasons, of which only those are kept that quote nothing. */
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
  return [line(head), "|---|---|--:|--:|---|--:|--:|--:|--:|--:|", ...rows.map(line)].join("\n");
}
