import { type Counts, count, type Outcome, type Result, type Rule, type Run } from "../../../schemas/index.ts";
import { countRan } from "../wording/phrases.ts";
import { families, familyOf } from "./families.ts";
import { concerningOutcomes, failingOutcomes, totalOf } from "./words.ts";

/** Results in rows and columns. A column is one implementation, or one family of faults. Counts are never summed over columns. */
export interface OutcomeMatrix {
  /** What each row is, in one word, such as `rule`. */
  of: string;
  columns: string[];
  rows: OutcomeRow[];
}

export interface OutcomeRow {
  name: string;
  /** The requirement, if the row is a known rule. */
  rule?: Rule;
  /** The counts of each column; undefined if there is no result. */
  cells: (Counts | undefined)[];
  /** Whether the columns disagree; only reported for implementations. */
  differs: boolean;
}

/** One implementation and its results, for comparison in a matrix. */
export interface MatrixColumn {
  name: string;
  results: readonly Result[];
}

/** Rules by implementation: first the rules on which implementations differ, then the failing rules, then the others. Each part is in the order of the rules. */
export function rulesByImplementation(columns: readonly MatrixColumn[], rules: readonly Rule[]): OutcomeMatrix {
  const orderById = new Map(rules.map((rule, index) => [rule.id, { rule, index }]));
  const tallies = columns.map(({ results }) => tallyResults(results, ({ rule }) => rule));
  const ids = new Set(tallies.flatMap((tally) => [...tally.keys()]));
  const rows = [...ids].map((name): OutcomeRow => {
    const cells = tallies.map((tally) => tally.get(name));
    const rule = orderById.get(name)?.rule;
    return { name, ...(rule === undefined ? {} : { rule }), cells, differs: isDifferent(cells) };
  });
  const rankOf = ({ name }: OutcomeRow): number => orderById.get(name)?.index ?? orderById.size;
  rows.sort((first, second) => rankOf(first) - rankOf(second));
  return { of: "rule", columns: columns.map(({ name }) => name), rows: sortByGravity(rows) };
}

/** A matrix of documents that also says how many documents and families are left out, because all their results were skipped. */
export interface DocumentMatrix extends OutcomeMatrix {
  without: { documents: number; families: number };
}

/** Documents by families of faults, for one implementation, the most serious failures first. */
export function documentsByFamily({ results }: Pick<Run, "results">): DocumentMatrix {
  const ranResults = results.filter(({ outcome }) => outcome !== "skipped");
  const documentsRun = new Set(ranResults.map(({ document }) => document));
  const resultsByDocument = groupResults(results, ({ document }) => document);
  const documents = [...resultsByDocument].filter(([name]) => documentsRun.has(name));
  const presentFamilies = new Set(ranResults.map(familyOf));
  const familiesWith = (outcomes: readonly Outcome[]): Set<string> =>
    new Set(results.filter(({ outcome }) => outcomes.includes(outcome)).map(familyOf));
  const [failingFamilies, concerningFamilies] = [familiesWith(failingOutcomes), familiesWith(concerningOutcomes)];
  const weight = (family: string): number =>
    Number(failingFamilies.has(family)) + Number(concerningFamilies.has(family));
  // Failures must be visible without scrolling.
  const columns = families
    .filter((family) => presentFamilies.has(family))
    .sort((first, second) => weight(second) - weight(first));
  const without = {
    documents: resultsByDocument.size - documents.length,
    families: new Set(results.map(familyOf)).size - columns.length,
  };
  const rows = documents.map(([name, resultsOfDocument]): OutcomeRow => {
    const tally = tallyResults(resultsOfDocument, familyOf);
    return { name, cells: columns.map((family) => tally.get(family)), differs: false };
  });
  return { of: "document", columns, rows: sortByGravity(rows), without };
}

/** The most serious outcome in a cell. */
export function worstOutcome(counts: Counts): Outcome {
  const order: readonly Outcome[] = [...concerningOutcomes, "conforms", "disputed", "skipped"];
  return order.find((outcome) => counts[outcome] > 0) ?? "skipped";
}

/** The number of failures in a cell. */
export function countFailing(counts: Counts | undefined): number {
  return counts === undefined ? 0 : failingOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** The shade for a share: 0 for none, and up to 4 for all, which is the darkest. */
export function shadeOf(part: number, whole: number): 0 | 1 | 2 | 3 | 4 {
  if (part <= 0 || whole <= 0) return 0;
  return Math.min(4, Math.ceil((part / whole) * 4)) as 1 | 2 | 3 | 4;
}

function sortByGravity(rows: readonly OutcomeRow[]): OutcomeRow[] {
  // Rows that differ come before others, and within both groups the more serious failures come first.
  const weight = ({ cells, differs }: OutcomeRow): number => {
    const worstIndex = concerningOutcomes.findIndex((outcome) => cells.some((counts) => (counts?.[outcome] ?? 0) > 0));
    return (
      (differs ? concerningOutcomes.length + 1 : 0) + (worstIndex === -1 ? 0 : concerningOutcomes.length - worstIndex)
    );
  };
  return [...rows].sort((first, second) => weight(second) - weight(first));
}

/** Whether the columns differ in their failures, or in whether anything was run. Columns without a result do not count. */
function isDifferent(cells: readonly (Counts | undefined)[]): boolean {
  const filledCells = cells.filter((counts) => counts !== undefined && totalOf(counts) > 0) as Counts[];
  const keyOf = (counts: Counts): string =>
    `${concerningOutcomes.map((outcome) => counts[outcome])} ${countRan(counts) > 0}`;
  return new Set(filledCells.map(keyOf)).size > 1;
}

function tallyResults(results: readonly Result[], key: (result: Result) => string | undefined): Map<string, Counts> {
  return new Map([...groupResults(results, key)].map(([name, resultsOfDocument]) => [name, count(resultsOfDocument)]));
}

/** Results by name, in the order of the first occurrence of names; results without a name are left out. */
function groupResults(results: readonly Result[], key: (result: Result) => string | undefined): Map<string, Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const name = key(result);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [result]);
    else group.push(result);
  }
  return groups;
}
