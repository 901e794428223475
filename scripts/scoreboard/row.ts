import type { Json, Report } from "../../schemas/index.ts";
import { causesOf, markOf } from "./causes.ts";
import type { ScoredValidator } from "./validators.ts";

/** The maximum number of causes in a row. */
const maxCauses = 4;

/** A row of the table. */
export interface ScoreRow {
  cells: [name: string, version: string, reads: string, right: string, wrong: number, silent: number, causes: string];
}

/** Makes the row of a validator from its report. */
export function rowOf(
  { name, reads }: ScoredValidator,
  version: string,
  report: Report,
  schemas: ReadonlyMap<string, Json>,
): ScoreRow {
  const results = report.runs.flatMap(({ results }) => results);
  const count = (mark: string): number => results.filter((result) => markOf(result) === mark).length;
  const [rightCount, wrongCount, silentCount] = [count("right"), count("wrong"), count("silent")];
  const causes = causesOf(results, schemas);
  const otherCount = causes.slice(maxCauses).reduce((sum, [, count]) => sum + count, 0);
  const causeTexts = causes.slice(0, maxCauses).map(([cause, count]) => `${cause} (${count})`);
  if (otherCount > 0) causeTexts.push(`others (${otherCount})`);
  const end = report.runs.find(({ failure }) => failure !== undefined) ? "broke down" : "ran out of time";
  if (!report.complete) causeTexts.unshift(`not all was asked: it ${end}`);
  return {
    cells: [
      name,
      version,
      reads,
      `${rightCount} of ${rightCount + wrongCount + silentCount}`,
      wrongCount,
      silentCount,
      causeTexts.join("; "),
    ],
  };
}

const titles = ["validator", "version", "reads", "conform, of asked", "violate", "no answer", "because of"];

/** Makes the table, with the validator with the fewest errors first. */
export function tableOf(rows: readonly ScoreRow[]): string {
  const countErrors = ({ cells }: ScoreRow): number => cells[4] + cells[5];
  const sortedRows = [...rows].sort((a, b) => countErrors(a) - countErrors(b) || (a.cells[0] < b.cells[0] ? -1 : 1));
  const lines = [titles, ["---", "---", "---", "--:", "--:", "--:", "---"], ...sortedRows.map(({ cells }) => cells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
