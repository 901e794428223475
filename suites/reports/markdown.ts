import { type Counts, count, outcomes, type Report, type Result, type Rule, type Run } from "../../schemas/index.ts";
import { cut } from "../base/text/escape.ts";
import { code, codeTag, plain, prose } from "../base/text/markup.ts";
import { reasonOf } from "../base/text/skips.ts";
import { fails } from "../results/exit.ts";
import { replayIn } from "../results/replay.ts";
import type { Format, RenderOptions } from "./format.ts";
import { chosenGroups } from "./groups/explained-groups.ts";
import {
  byDocument,
  byId,
  disputedNote,
  explained,
  groupsOf,
  headings,
  type ResultGroup,
  weightOf,
} from "./groups/group.ts";
import { remarksOn } from "./groups/remarks.ts";
import { headingOf } from "./sections/heading.ts";
import { reachLines } from "./sections/reach.ts";
import { shortfalls } from "./sections/status.ts";
import { countInWords, numberOf, numberOfResults, ranInWords, unitOf } from "./wording/nouns.ts";
import { against, conclusion, countsInWords, facts, some } from "./wording/phrases.ts";

/** Bytes. A step summary of GitHub that has more than 1 MiB is not shown at all. */
const room = 1_000_000;

/** Markdown for a step summary or a comment: counts by document, then the failures, by rule. */
export const markdown: Format = {
  name: "markdown",
  extension: "md",
  render(report, { rules, examples = 3, sourceOf }) {
    const known = byId(rules);
    const head = [
      `## ${plain(conclusion(report))}`,
      ...fresh(report, known, sourceOf),
      ...shortfalls(report).map(({ name, message }) => `- ${code(name)} ${prose(cut(message, 1000))}`),
      ...report.runs.flatMap((run) => [
        plain(`${run.protocol} ${run.version} against ${against(run)}: ${countsInWords(run.counts)}.`),
        ...remarksOn(run).map((remark) => prose(cut(remark, 1000))),
      ]),
      ...disputedNote(report.runs).map(plain),
      ...reachLines(report, rules).map(plain),
      ...report.runs.map(table),
    ];
    const groups = report.runs.flatMap((run) => blocks(report, run, known, { examples, sourceOf }));
    return `${boundBlocks([...head, ...groups]).join("\n\n")}\n`;
  },
};

/** With a baseline, the new failures come first, a line for each rule; the known ones follow. */
function fresh(report: Report, rules: ReadonlyMap<string, Rule>, sourceOf: RenderOptions["sourceOf"]): string[] {
  if (report.baseline === undefined) return [];
  const { shown, all } = chosenGroups(report, rules, mostNew, {
    isWanted: ({ group }) => group.results.some((each) => fails(each, report.failOn)),
  });
  if (all.length === 0) return [];
  const lines = shown.map(({ group }) => {
    const [first] = group.results;
    const what = group.rule === undefined ? "" : ` ${prose(group.rule.statement)}`;
    return `- ${code(headingOf(group, sourceOf))}${what} ${numberOf(group.results)}, such as ${code(first?.id ?? "")}: ${prose(cut(first?.why ?? "", 200))}`;
  });
  const more = all.length - shown.length;
  return ["### New by the baseline", [...lines, ...(more > 0 ? [`- and ${some(more, "more rule")}`] : [])].join("\n")];
}

/** So many rules. */
const mostNew = 20;

/** As many blocks as there is room for, and the number of the others. */
function boundBlocks(blocks: readonly string[]): string[] {
  let size = 0;
  const fitting = blocks.findIndex((block) => {
    size += Buffer.byteLength(block) + 2;
    return size > room;
  });
  if (fitting === -1) return [...blocks];
  return [...blocks.slice(0, fitting), `… and ${some(blocks.length - fitting, "more block")} that found no room here.`];
}

function table(run: Run): string {
  const shown = outcomes.filter(
    (outcome) => outcome === "conforms" || outcome === "violates" || run.counts[outcome] > 0,
  );
  const row = (name: string, total: number, counts: Counts): string =>
    `| ${[name, total, ...shown.map((outcome) => counts[outcome])].join(" | ")} |`;
  return [
    `| ${[plain(`${run.protocol} ${run.version}`), unitOf(run) ?? "vectors", ...shown].join(" | ")} |`,
    `|---|${"---:|".repeat(shown.length + 1)}`,
    ...byDocument(run).map(([name, results]) => row(codeTag(name), results.length, count(results))),
    row("together", run.results.length, run.counts),
  ].join("\n");
}

interface MarkdownStyle {
  examples: number;
  sourceOf: RenderOptions["sourceOf"];
}

function blocks(report: Report, run: Run, rules: ReadonlyMap<string, Rule>, how: MarkdownStyle): string[] {
  const told = explained.filter((outcome) => outcome !== "disputed" && run.counts[outcome] > 0);
  const skipped = groupsOf(run, "skipped", rules).map(
    ({ name, results }) =>
      `${numberOf(results)} of ${numberOfResults(run.results)} skipped: ${prose(cut(reasonOf(results.length, name), 1000))}`,
  );
  return [
    ...told.flatMap((outcome) => [
      `### ${headings[outcome]}: ${numberOf(run.results.filter((each) => each.outcome === outcome))} of ${ranInWords(run)}`,
      ...groupsOf(run, outcome, rules).map((group) => block(report, run, group, how)),
    ]),
    ...skipped,
  ];
}

function block(report: Report, run: Run, group: ResultGroup, { examples, sourceOf }: MarkdownStyle): string {
  const { rule, results, of, kinds } = group;
  const known = results.filter((result) => result.known !== undefined).length;
  const numbers = `${numberOf(results)} of ${countInWords(of, kinds)}${known === 0 ? "" : `, ${known} known`}`;
  const about = rule === undefined ? "" : ` ${plain(weightOf(group))} · clause ${plain(rule.clause)} ·`;
  const more = results.length - examples;
  return [
    `<details><summary>${codeTag(headingOf(group, sourceOf))}${about} ${numbers}</summary>`,
    ...(rule === undefined ? [] : [prose(rule.statement)]),
    ...results.slice(0, examples).map((result) => example(report, run, result)),
    ...(more > 0 ? [`and ${more} more`] : []),
    "</details>",
  ].join("\n\n");
}

/** Facts that are not sentences. */
const isCode = new Set(["change", "text", "base64"]);

function example(report: Report, run: Run, result: Result): string {
  const told = facts(result).map(([name, text]) => `  - ${name}: ${isCode.has(name) ? code(text) : prose(text)}`);
  const again = replayIn(report, run, result.id);
  if (again !== undefined) told.push(`  - replay: ${code(again)}`);
  return [`- ${code(result.id)} ${prose(result.description)}`, ...told].join("\n");
}
