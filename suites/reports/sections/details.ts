import {
  type Counts,
  count,
  type Outcome,
  outcomes,
  type Report,
  type Result,
  type Rule,
  type Run,
} from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { pluralizeReason } from "../../base/text/skips.ts";
import { formatRows, type TableRow } from "../../base/text/table.ts";
import { failsRun } from "../../results/exit.ts";
import { replayCommandOf } from "../../results/replay.ts";
import type { RenderOptions } from "../format.ts";
import { groupsToExplain, type OutcomeGroup } from "../groups/explained-groups.ts";
import { groupByDocument, groupByLevel, groupsOf, weightOf } from "../groups/group.ts";
import { countInWords, moreOf, numberOf, numberOfResults, unitOf } from "../wording/nouns.ts";
import type { Paint } from "../wording/paint.ts";
import { isUnstored, resultFacts } from "../wording/phrases.ts";
import { exchangeFacts } from "./exchanges.ts";
import { headingOf } from "./heading.ts";

/** Shows a rule, or another cause, with examples: the first with all details, the others only with their changes. */
export function groupLines(
  report: Report,
  { run, outcome, group }: OutcomeGroup,
  { examples, paint, sourceOf }: { examples: number; paint: Paint; sourceOf?: RenderOptions["sourceOf"] | undefined },
): string[] {
  const { rule, results, of, kinds } = group;
  const parts = [
    ...(rule === undefined ? [] : [weightOf(group), `clause ${rule.clause}`]),
    `${numberOf(results)} of ${countInWords(of, kinds)} ${participles[outcome] ?? outcome}`,
    ...(outcome === "warns" && !results.some((result) => failsRun(result, report.failOn))
      ? ["fails the run only with --fail-on"]
      : []),
  ];
  const hiddenCount = results.length - examples;
  return [
    `${paint.red(paint.bold(escapeInvisible(headingOf(group, sourceOf))))} ${escapeInvisible(parts.join(" · "))}`,
    ...(rule === undefined ? [] : [escapeInvisible(rule.statement)]),
    ...results.slice(0, examples).flatMap((result, index) => {
      const exchanges = examples > usualExamples ? Number.POSITIVE_INFINITY : index === 0 ? usualExchanges : undefined;
      return exampleLines({ report, run, result }, exchanges, paint);
    }),
    ...(hiddenCount > 0 ? [paint.dim(`  and ${moreOf(results, hiddenCount)}`)] : []),
    "",
  ];
}

/** The participle for each outcome, to follow a number of results. */
export const participles: Partial<Record<Outcome, string>> = {
  violates: "violated",
  warns: "warned of",
  "wrong-reason": "refused for another cause",
  "timed-out": "timed out",
};

/** The number of examples that are shown for a rule by default. */
export const usualExamples = 2;
/** The number of preceding exchanges that are shown with the first example. */
const usualExchanges = 2;

/** Shows an example. If `exchanges` is undefined, only its change or its random message is shown. */
function exampleLines(
  { report, run, result }: { report: Report; run: Run; result: Result },
  exchanges: number | undefined,
  { cyan, dim }: Paint,
): string[] {
  const hasAllDetails = exchanges !== undefined;
  const facts = [...resultFacts(result), ...exchangeFacts(result, exchanges)];
  const briefFactNames = ["change", "text", "base64", ...(isUnstored(result) ? ["message"] : [])];
  const shownFacts = hasAllDetails ? facts : facts.filter(([name]) => briefFactNames.includes(name));
  const replayCommand = hasAllDetails ? replayCommandOf(report, run, result.id) : undefined;
  if (replayCommand !== undefined) shownFacts.push(["replay", replayCommand]);
  return [
    `  ${cyan(escapeInvisible(result.id))}`,
    ...(hasAllDetails || shownFacts.length === 0 ? [`    ${escapeInvisible(result.description)}`] : []),
    ...shownFacts.map(([name, text]) => `    ${dim(name.padEnd(8))}  ${escapeInvisible(text)}`),
  ];
}

/** Shows everything about a run: tables of outcomes, each rule with all its failing vectors, and the skipped vectors. */
export function fullRunLines(
  report: Report,
  run: Run,
  rules: ReadonlyMap<string, Rule>,
  { columns, sourceOf, paint }: Pick<RenderOptions, "columns" | "sourceOf"> & { paint: Paint },
): string[] {
  const skipLines = groupsOf(run, "skipped", rules).map(({ name, results }) =>
    escapeInvisible(
      `${numberOf(results)} of ${numberOfResults(run.results)} skipped: ${pluralizeReason(results.length, name)}`,
    ),
  );
  return [
    ...(run.results.length === 0 ? [] : formatTables(run, columns)),
    ...groupsToExplain(run, rules).flatMap((group) =>
      groupLines(report, group, { examples: Number.POSITIVE_INFINITY, paint, sourceOf }),
    ),
    ...skipLines,
    ...(skipLines.length === 0 ? [] : [""]),
  ];
}

/** Two tables, with one row for each document and for each level. Outcomes that did not occur have no column. */
function formatTables(run: Run, columns: number | undefined): string[] {
  const shownOutcomes = outcomes.filter(
    (outcome) => outcome === "conforms" || outcome === "violates" || run.counts[outcome] > 0,
  );
  const rowOf = (title: string, name: string, results: readonly Result[]): TableRow => {
    const counts: Counts = count(results);
    return {
      [title]: name,
      [unitOf(run) ?? "vectors"]: results.length,
      ...Object.fromEntries(shownOutcomes.map((outcome) => [outcome, counts[outcome]])),
    };
  };
  return [
    ...formatRows(
      groupByDocument(run).map(([name, results]) => rowOf("document", name, results)),
      columns,
    ).split("\n"),
    "",
    ...formatRows(
      groupByLevel(run).map(([level, results]) => rowOf("level", level, results)),
      columns,
    ).split("\n"),
    "",
  ];
}
