import { type Counts, count, outcomes, type Report, type Result, type Rule, type Run } from "../../schemas/index.ts";
import { truncate } from "../base/text/escape.ts";
import { codeMarkup, codeTag, plainMarkup, proseMarkup } from "../base/text/markup.ts";
import { pluralizeReason } from "../base/text/skips.ts";
import { failsRun } from "../results/exit.ts";
import { replayCommandOf } from "../results/replay.ts";
import type { Format, RenderOptions } from "./format.ts";
import { chooseGroups } from "./groups/explained-groups.ts";
import {
  disputedNote,
  explainedOutcomes,
  groupByDocument,
  groupsOf,
  indexById,
  outcomeHeadings,
  type ResultGroup,
  weightOf,
} from "./groups/group.ts";
import { remarksOn } from "./groups/remarks.ts";
import { headingOf } from "./sections/heading.ts";
import { reachLines } from "./sections/reach.ts";
import { findShortfalls } from "./sections/status.ts";
import { countInWords, describeRan, numberOf, numberOfResults, unitOf } from "./wording/nouns.ts";
import { countNoun, describeConclusion, describeCounts, describeTarget, resultFacts } from "./wording/phrases.ts";

/** GitHub does not show a step summary of more than 1 MiB at all. */
const maxBytes = 1_000_000;

/** Renders Markdown for a step summary or a comment: counts by document, then the failures by rule. */
export const markdown: Format = {
  name: "markdown",
  extension: "md",
  render(report, { rules, examples = 3, sourceOf }) {
    const rulesById = indexById(rules);
    const head = [
      `## ${plainMarkup(describeConclusion(report))}`,
      ...listNewFailures(report, rulesById, sourceOf),
      ...findShortfalls(report).map(
        ({ name, message }) => `- ${codeMarkup(name)} ${proseMarkup(truncate(message, 1000))}`,
      ),
      ...report.runs.flatMap((run) => [
        plainMarkup(`${run.protocol} ${run.version} against ${describeTarget(run)}: ${describeCounts(run.counts)}.`),
        ...remarksOn(run).map((remark) => proseMarkup(truncate(remark, 1000))),
      ]),
      ...disputedNote(report.runs).map(plainMarkup),
      ...reachLines(report, rules).map(plainMarkup),
      ...report.runs.map(formatTable),
    ];
    const groups = report.runs.flatMap((run) => formatBlocks(report, run, rulesById, { examples, sourceOf }));
    return `${limitBlocks([...head, ...groups]).join("\n\n")}\n`;
  },
};

/** Lists the failures that are not in the baseline, one line for each rule. They are shown before the list of all failures. */
function listNewFailures(
  report: Report,
  rules: ReadonlyMap<string, Rule>,
  sourceOf: RenderOptions["sourceOf"],
): string[] {
  if (report.baseline === undefined) return [];
  const { shown, all: allGroups } = chooseGroups(report, rules, maxNewGroups, {
    isWanted: ({ group }) => group.results.some((result) => failsRun(result, report.failOn)),
  });
  if (allGroups.length === 0) return [];
  const lines = shown.map(({ group }) => {
    const [firstResult] = group.results;
    const statement = group.rule === undefined ? "" : ` ${proseMarkup(group.rule.statement)}`;
    return `- ${codeMarkup(headingOf(group, sourceOf))}${statement} ${numberOf(group.results)}, such as ${codeMarkup(firstResult?.id ?? "")}: ${proseMarkup(truncate(firstResult?.why ?? "", 200))}`;
  });
  const hiddenGroups = allGroups.length - shown.length;
  return [
    "### New since the baseline",
    [...lines, ...(hiddenGroups > 0 ? [`- and ${countNoun(hiddenGroups, "more rule")}`] : [])].join("\n"),
  ];
}

/** The maximum number of listed rules with new failures. */
const maxNewGroups = 20;

/** Returns as many blocks as fit, followed by the number of the others. */
function limitBlocks(blocks: readonly string[]): string[] {
  let size = 0;
  const firstTooMany = blocks.findIndex((block) => {
    size += Buffer.byteLength(block) + 2;
    return size > maxBytes;
  });
  if (firstTooMany === -1) return [...blocks];
  return [
    ...blocks.slice(0, firstTooMany),
    `… and ${countNoun(blocks.length - firstTooMany, "more block")} that did not fit here.`,
  ];
}

function formatTable(run: Run): string {
  const shownOutcomes = outcomes.filter(
    (outcome) => outcome === "conforms" || outcome === "violates" || run.counts[outcome] > 0,
  );
  const formatRow = (name: string, total: number, counts: Counts): string =>
    `| ${[name, total, ...shownOutcomes.map((outcome) => counts[outcome])].join(" | ")} |`;
  return [
    `| ${[plainMarkup(`${run.protocol} ${run.version}`), unitOf(run) ?? "vectors", ...shownOutcomes].join(" | ")} |`,
    `|---|${"---:|".repeat(shownOutcomes.length + 1)}`,
    ...groupByDocument(run).map(([name, results]) => formatRow(codeTag(name), results.length, count(results))),
    formatRow("together", run.results.length, run.counts),
  ].join("\n");
}

interface MarkdownStyle {
  examples: number;
  sourceOf: RenderOptions["sourceOf"];
}

function formatBlocks(report: Report, run: Run, rules: ReadonlyMap<string, Rule>, style: MarkdownStyle): string[] {
  const shownOutcomes = explainedOutcomes.filter((outcome) => outcome !== "disputed" && run.counts[outcome] > 0);
  const skipped = groupsOf(run, "skipped", rules).map(
    ({ name, results }) =>
      `${numberOf(results)} of ${numberOfResults(run.results)} skipped: ${proseMarkup(truncate(pluralizeReason(results.length, name), 1000))}`,
  );
  return [
    ...shownOutcomes.flatMap((outcome) => [
      `### ${outcomeHeadings[outcome]}: ${numberOf(run.results.filter((result) => result.outcome === outcome))} of ${describeRan(run)}`,
      ...groupsOf(run, outcome, rules).map((group) => formatBlock(report, run, group, style)),
    ]),
    ...skipped,
  ];
}

function formatBlock(report: Report, run: Run, group: ResultGroup, { examples, sourceOf }: MarkdownStyle): string {
  const { rule, results, of, kinds } = group;
  const knownCount = results.filter((result) => result.known !== undefined).length;
  const numbers = `${numberOf(results)} of ${countInWords(of, kinds)}${knownCount === 0 ? "" : `, ${knownCount} known`}`;
  const levelAndClause =
    rule === undefined ? "" : ` ${plainMarkup(weightOf(group))} · clause ${plainMarkup(rule.clause)} ·`;
  const hiddenCount = results.length - examples;
  return [
    `<details><summary>${codeTag(headingOf(group, sourceOf))}${levelAndClause} ${numbers}</summary>`,
    ...(rule === undefined ? [] : [proseMarkup(rule.statement)]),
    ...results.slice(0, examples).map((result) => formatExample(report, run, result)),
    ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : []),
    "</details>",
  ].join("\n\n");
}

/** Facts that are shown as code. */
const codeFacts = new Set(["change", "text", "base64"]);

function formatExample(report: Report, run: Run, result: Result): string {
  const factLines = resultFacts(result).map(
    ([name, text]) => `  - ${name}: ${codeFacts.has(name) ? codeMarkup(text) : proseMarkup(text)}`,
  );
  const replayCommand = replayCommandOf(report, run, result.id);
  if (replayCommand !== undefined) factLines.push(`  - replay: ${codeMarkup(replayCommand)}`);
  return [`- ${codeMarkup(result.id)} ${proseMarkup(result.description)}`, ...factLines].join("\n");
}
