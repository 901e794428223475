import type { Report } from "../../schemas/index.ts";

const outcomes = ["conforms", "violates", "warns", "disputed", "errored", "timed-out", "skipped"] as const;

/** The cells of a server in the table: its name, the number of called tools, and the counts of outcomes. */
export function rowOf(name: string, { counts, runs }: Pick<Report, "counts" | "runs">): string[] {
  const vectorCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tools = new Set(runs.flatMap(({ results }) => results.map(({ id }) => id.split("/")[2])));
  const version = name.slice(name.lastIndexOf("@") + 1);
  const nameAndVersion = `\`${name.slice(0, -version.length - 1)}\` ${version}`;
  return [nameAndVersion, ...[tools.size, vectorCount, ...outcomes.map((outcome) => counts[outcome])].map(String)];
}

export function tableOf(rows: readonly string[][]): string {
  const head = ["server", "tools", "vectors", ...outcomes];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(["---", ...head.slice(1).map(() => "--:")]).replaceAll(" ", ""), ...rows.map(line)].join(
    "\n",
  );
}
