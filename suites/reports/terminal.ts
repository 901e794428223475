import picocolors from "picocolors";
import { type Counts, count, outcomes, type Report, type Result, type Rule, type Run } from "../../schemas/index.ts";
import { fails } from "../results/exit.ts";
import { replayIn } from "../results/replay.ts";
import { visible } from "../text/escape.ts";
import type { Format } from "./format.ts";
import {
  byDocument,
  byId,
  byLevel,
  disputedNote,
  explained,
  type Group,
  groupsOf,
  headings,
  weightOf,
} from "./group.ts";
import { reachLines } from "./reach.ts";
import { against, conclusion, countsInWords, facts, ranOf, some } from "./words.ts";

type Colours = ReturnType<typeof picocolors.createColors>;

/** For people at a terminal, and for logs: what failed, grouped by rule, and at the end what it amounts to. */
export const terminal: Format = {
  name: "terminal",
  extension: "txt",
  render(report, { rules, colour = false, examples = 2, brief = false }) {
    const colours = picocolors.createColors(colour);
    const known = byId(rules);
    const details = brief ? [] : report.runs.flatMap((run) => detailsOf(report, run, known, examples, colours));
    const reach = reachLines(report, rules, brief);
    return `${[...details, ...reach.map(visible), ...summaryOf(report, colours)].join("\n")}\n`;
  },
};

function detailsOf(
  report: Report,
  run: Run,
  rules: ReadonlyMap<string, Rule>,
  examples: number,
  colours: Colours,
): string[] {
  const { bold, dim } = colours;
  const lines = [bold(visible(`${run.protocol} ${run.version} against ${against(run)}`)), ""];
  if (run.results.length > 0) lines.push(...table(run).map((line) => `  ${line}`), "");
  for (const outcome of explained) {
    // What the baseline knows is counted below, and not told anew.
    const groups = groupsOf(run, outcome, rules)
      .map((group) => ({ ...group, results: group.results.filter(({ known }) => known === undefined) }))
      .filter(({ results }) => results.length > 0);
    if (outcome === "disputed" || groups.length === 0) continue;
    const found = groups.reduce((all, { results }) => all + results.length, 0);
    lines.push(bold(`  ${headings[outcome]}: ${found} of ${some(ranOf(run.counts), "vector")}`), "");
    for (const group of groups) {
      lines.push(...groupLines(group, colours), "");
      for (const result of group.results.slice(0, examples))
        lines.push(...exampleLines(report, run, result, colours), "");
      const more = group.results.length - examples;
      if (more > 0) lines.push(dim(`      and ${more} more`), "");
    }
  }
  for (const { name, results } of groupsOf(run, "skipped", rules)) {
    lines.push(visible(`  ${results.length} of ${some(run.results.length, "vector")} skipped: ${name}`));
  }
  if (run.counts.skipped > 0) lines.push("");
  return lines;
}

function groupLines(group: Group, { bold, red }: Colours): string[] {
  const { name, rule, results, of } = group;
  const parts = [
    ...(rule === undefined ? [] : [weightOf(group), `clause ${rule.clause}`]),
    `${results.length} of ${some(of, "vector")}`,
  ];
  const title = `    ${red(bold(visible(name)))} ${visible(parts.join(" · "))}`;
  return rule === undefined ? [title] : [title, `    ${visible(rule.statement)}`];
}

function exampleLines(report: Report, run: Run, result: Result, { cyan, dim }: Colours): string[] {
  const told = facts(result);
  const again = replayIn(report, run, result.id);
  if (again !== undefined) told.push(["replay", again]);
  return [
    `      ${cyan(visible(result.id))}`,
    `      ${visible(result.description)}`,
    ...told.map(([name, text]) => `        ${dim(name.padEnd(8))}  ${visible(text)}`),
  ];
}

/** One row a document and one a level; columns of outcomes that did not occur are left out. */
function table(run: Run): string[] {
  const shown = outcomes.filter(
    (outcome) => outcome === "conforms" || outcome === "violates" || run.counts[outcome] > 0,
  );
  const row = (name: string, results: readonly Result[]): string[] => {
    const counts: Counts = count(results);
    return [visible(name), String(results.length), ...shown.map((outcome) => String(counts[outcome]))];
  };
  const rows = [
    ["document", "vectors", ...shown],
    ...byDocument(run).map(([name, results]) => row(name, results)),
    ["level", "", ...shown.map(() => "")],
    ...byLevel(run).map(([level, results]) => row(level, results)),
  ];
  const widths = (rows[0] as string[]).map((_, column) =>
    Math.max(...rows.map((each) => (each[column] as string).length)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join("  ")
      .trimEnd(),
  );
}

function summaryOf(report: Report, { bold, green, red }: Colours): string[] {
  const lines = report.runs.flatMap((run) => [
    visible(`${run.protocol} ${run.version}: ${countsInWords(run.counts)}`),
    ...failureLines(run).map(red),
  ]);
  const end = conclusion(report);
  const isDisputed = report.runs.some(({ counts }) => counts.disputed > 0);
  return [
    ...lines,
    ...(isDisputed ? [disputedNote] : []),
    ...baselineLines(report).map((line) => visible(line)),
    bold(report.exitCode === 0 ? green(end) : red(end)),
  ];
}

/** What is to be said of the list of known failures, and the command that makes it fit. */
function baselineLines({ baseline, runs, failOn }: Report): string[] {
  if (baseline === undefined) return [];
  const { file, known, findings, repair } = baseline;
  const results = runs.flatMap((run) => run.results);
  const flaky = results.filter((result) => result.known === "flaky").length;
  const fresh = results.some((result) => result.known === undefined && fails(result, failOn));
  const isOff = findings.length > 0;
  return [
    `${file}: ${some(known, "known failure")}${flaky === 0 ? "" : `, ${flaky} of them flaky`}`,
    ...findings.map(({ kind, name, what }) => `  ${kind === "set" ? "other vectors" : kind}: ${name}: ${what}`),
    ...(repair !== undefined && isOff ? ["To make the list fit:", `  ${repair}`] : []),
    ...(repair !== undefined && fresh ? ["To leave what is new for now:", `  ${repair} --reason "…"`] : []),
  ];
}

function failureLines({ failure }: Run): string[] {
  if (failure === undefined) return [];
  const [what, ...hints] = failure.message.split("\n");
  return [`  failed at ${visible(`${failure.stage}: ${what}`)}`, ...hints.map((hint) => `    ${visible(hint.trim())}`)];
}
