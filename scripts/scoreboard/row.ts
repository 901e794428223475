import type { Json, Report } from "../../schemas/index.ts";
import { causesOf, markOf } from "./causes.ts";
import type { ScoredValidator } from "./validators.ts";

/** A row has at most so many causes. */
const maxShown = 4;

/** A row of the table. */
export interface ScoreRow {
  cells: [name: string, version: string, reads: string, right: string, wrong: number, silent: number, causes: string];
}

/** The part of a report about a validator. */
export function rowOf(
  { name, reads }: ScoredValidator,
  version: string,
  report: Report,
  schemas: ReadonlyMap<string, Json>,
): ScoreRow {
  const results = report.runs.flatMap(({ results }) => results);
  const count = (mark: string): number => results.filter((result) => markOf(result) === mark).length;
  const [right, wrong, silent] = [count("right"), count("wrong"), count("silent")];
  const causes = causesOf(results, schemas);
  const rest = causes.slice(maxShown).reduce((sum, [, many]) => sum + many, 0);
  const words = causes.slice(0, maxShown).map(([cause, many]) => `${cause} (${many})`);
  if (rest > 0) words.push(`others (${rest})`);
  const end = report.runs.find(({ failure }) => failure !== undefined) ? "broke down" : "ran out of time";
  if (!report.complete) words.unshift(`not all was asked: it ${end}`);
  return { cells: [name, version, reads, `${right} of ${right + wrong + silent}`, wrong, silent, words.join("; ")] };
}

const titles = ["validator", "version", "reads", "conform, of asked", "violate", "no answer", "because of"];

/** The table: the validator with the fewest errors first. */
export function tableOf(rows: readonly ScoreRow[]): string {
  const errs = ({ cells }: ScoreRow): number => cells[4] + cells[5];
  const sorted = [...rows].sort((a, b) => errs(a) - errs(b) || (a.cells[0] < b.cells[0] ? -1 : 1));
  const lines = [titles, ["---", "---", "---", "--:", "--:", "--:", "---"], ...sorted.map(({ cells }) => cells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
