import type { KeywordCoverage, MutantCounts } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { formatRows } from "../../base/text/table.ts";
import type { MeasuredSet } from "./measure.ts";
import { undecidedLines } from "./undecided-mutants.ts";

const maxListed = 30;

/** The share of killed mutants among those that are not equivalent, from 0 to 1; undefined if there are none. */
export function mutationScoreOf({
  mutants,
  equivalent,
  twice,
  once,
}: Pick<KeywordCoverage, "mutants" | "equivalent" | "twice" | "once">): number | undefined {
  return mutants === equivalent ? undefined : (twice + once) / (mutants - equivalent);
}

/** Formats the result for the terminal: a table for each set, and the mutants that its tests do not kill. */
export function renderCoverage(measuredSets: readonly MeasuredSet[], columns?: number): string {
  const sum = (pick: (counts: KeywordCoverage) => number): number =>
    measuredSets.reduce((total, measuredSet) => total + pick(measuredSet), 0);
  const total: KeywordCoverage = {
    sites: sum(({ sites }) => sites),
    broken: sum(({ broken }) => broken),
    mutants: sum(({ mutants }) => mutants),
    twice: sum(({ twice }) => twice),
    once: sum(({ once }) => once),
    equivalent: sum(({ equivalent }) => equivalent),
    notKilled: sum(({ notKilled }) => notKilled),
    undecided: sum(({ undecided }) => undecided),
  };
  const parts = measuredSets.map((measuredSet) => renderSet(measuredSet, columns));
  if (measuredSets.length > 1) parts.push(`All together: ${summarize(total)}`);
  return `${parts.join("\n\n")}\n`;
}

function renderSet(measuredSet: MeasuredSet, columns: number | undefined): string {
  const { name, tests, keywords, operators, survivingMutants, wrong, disputed, partial } = measuredSet;
  const row = (keyword: string, counts: KeywordCoverage) => ({
    keyword,
    assertions: counts.sites,
    isolated: counts.broken,
    ...columnsOf(counts),
  });
  const rows = [...Object.entries(keywords).map(([keyword, counts]) => row(keyword, counts)), row("all", measuredSet)];
  const lines = [
    `${name}: ${tests} tests`,
    ...limitLines(wrong.map((test) => `the schema says otherwise, so it is not counted: ${test}`)),
    ...limitLines(disputed.map((test) => `validators judge it differently, so it is not counted: ${test}`)),
    "",
    formatRows(rows, columns),
    "",
    ...formatSurvivors(operators, columns),
    ...limitLines([
      ...survivingMutants.filter(isDecided).map(({ site, where = site, says, kills, why, example }) => {
        const description = `${kills === 1 ? "killed by one test alone" : "survived"}: ${says} (${where}): ${why}`;
        return example === undefined ? description : `${description}; this would kill it: ${JSON.stringify(example)}`;
      }),
      ...undecidedLines(
        survivingMutants
          .filter((survivingMutant) => !isDecided(survivingMutant))
          .map((survivingMutant) => ({ ...survivingMutant, where: survivingMutant.where ?? survivingMutant.site })),
      ),
    ]),
    summarize(measuredSet),
    ...(partial
      ? ["There are more mutants than were looked at: the schema is large, or it was stopped (--deadline)."]
      : []),
  ];
  return lines.map((line) => (line.includes("\n") ? line : truncate(escapeInvisible(line), 400))).join("\n");
}

function isDecided({ undecided }: MeasuredSet["survivingMutants"][number]): boolean {
  return undecided !== true;
}

function columnsOf({ mutants, twice, once, equivalent, notKilled, undecided }: MutantCounts) {
  return {
    mutants,
    "killed by two": twice,
    "by one": once,
    survived: notKilled - undecided,
    undecided,
    equivalent,
  };
}

/** A table of the mutation operators with surviving mutants, the most first: the tests miss these mistakes. */
function formatSurvivors(operators: Readonly<Record<string, MutantCounts>>, columns: number | undefined): string[] {
  const rows = Object.entries(operators)
    .map(([operator, fate]) => ({ operator, ...columnsOf(fate) }))
    .sort((a, b) => b.survived - a.survived);
  const shownRows = rows.filter(hasSurvivors);
  if (shownRows.length === 0) return [];
  const otherRows = rows.filter((row) => !hasSurvivors(row));
  const otherRow =
    otherRows.length === 0
      ? []
      : [sumRows(`${otherRows.length} ${otherRows.length === 1 ? "other" : "others"}`, otherRows)];
  return [formatRows([...shownRows, ...otherRow, sumRows("all", rows)], columns), ""];
}

type OperatorRow = { operator: string } & ReturnType<typeof columnsOf>;

function hasSurvivors({ survived, undecided }: OperatorRow): boolean {
  return survived + undecided > 0;
}

function sumRows(operator: string, rows: readonly OperatorRow[]): OperatorRow {
  const sum = (column: keyof ReturnType<typeof columnsOf>): number =>
    rows.reduce((total, row) => total + row[column], 0);
  return {
    operator,
    mutants: sum("mutants"),
    "killed by two": sum("killed by two"),
    "by one": sum("by one"),
    survived: sum("survived"),
    undecided: sum("undecided"),
    equivalent: sum("equivalent"),
  };
}

function summarize(counts: KeywordCoverage): string {
  const { sites, broken, mutants, twice, once, equivalent } = counts;
  const isolatedText = `${broken} of ${sites} assertions are isolated`;
  const score = mutationScoreOf(counts);
  if (score === undefined) return `${isolatedText}; no mutant can be killed: nothing to measure`;
  const killText = `${twice + once} of ${mutants - equivalent} mutants that are not equivalent are killed`;
  return `${isolatedText}; ${killText} (${(Math.floor(score * 1000) / 10).toFixed(1)} %), ${twice} of them by two tests`;
}

function limitLines(lines: readonly string[]): string[] {
  const hiddenCount = lines.length - maxListed;
  return [
    ...lines.slice(0, maxListed),
    ...(hiddenCount > 0 ? [`… and ${hiddenCount} more, all of them with --json`] : []),
  ].map((line) => `  ${line}`);
}
