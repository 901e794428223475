import { type Report, type Rule, type Run, sum } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { exitCode } from "../../results/exit.ts";
import { groupsByProtocol, namesOfGroup } from "../groups/implementations.ts";
import { remarksOn } from "../groups/remarks.ts";
import { sharedCommand } from "../groups/shared-command.ts";
import { reachLines } from "../sections/reach.ts";
import { countNoun, describeConclusion, formatMoment } from "../wording/phrases.ts";
import { outcomeBar } from "./tables.ts";
import { describeFilter } from "./words.ts";

/** The kind of report: of a finished run, of the last of several runs, or of a running one. */
export type ReportStage = "whole" | "last" | "running";

/** The head of the page: first the notices, such as why the report is incomplete, then the verdict. */
export function renderHeader(report: Report, rules: readonly Rule[], stage: ReportStage, verdictText: string): string {
  const targets = targetsOf(report);
  const durationText = {
    whole: `, for ${(report.durationMs / 1000).toFixed(1)} s`,
    last: ", the last run",
    running: "",
  };
  const facts: [name: string, what: string][] = [
    [
      "Started",
      `<time datetime="${text(report.started)}">${text(formatMoment(report.started))}</time>${durationText[stage]}, with Touchstone ${text(report.tool.version)}`,
    ],
  ];
  if (report.command !== "") facts.push(["Command", `<code>${text(sharedCommand(report))}</code>`]);
  const rows = facts
    .filter(([, what]) => what !== "")
    .map(([name, what]) => `<div><dt>${name}</dt><dd>${what}</dd></div>`);
  return `${noticesHtml(stage === "running" ? { ...report, complete: true } : report, rules)}
<p class="over">${text(describeSubject(report))}</p>
${targets.size > 1 ? comparisonHtml(report, targets) : verdictHtml(report, stage, verdictText)}
<dl class="facts">${rows.join("")}</dl>`;
}

/** The protocols and the implementation of the run, in one line. */
export function describeSubject(report: Report): string {
  const groups = groupsByProtocol(report.runs);
  const targets = [...targetsOf(report).keys()];
  const protocols = groups.length === 1 ? (groups[0]?.name ?? "") : `${groups.length} protocols`;
  const implementation = targets.length === 1 ? (targets[0] ?? "") : `${targets.length} implementations`;
  return groups.length === 0 ? "Nothing was run" : `${protocols} against ${implementation}`;
}

/** The result in a sentence. For several implementations, only their number. */
export function describeVerdict(report: Report, stage: ReportStage = "whole"): string {
  const { size } = targetsOf(report);
  const { violates } = report.counts;
  if (stage === "running")
    return `Running: ${violates === 0 ? "no vector is" : `${countNoun(violates, "vector")}`} violated so far.`;
  return size > 1 ? `${size} implementations compared` : describeConclusion(report);
}

function verdictHtml(report: Report, stage: ReportStage, verdictText: string): string {
  const isGood = stage === "running" ? report.counts.violates === 0 : report.exitCode === 0;
  const goodTone = stage === "running" ? "soft" : "good";
  const tone = isGood ? goodTone : "bad";
  return `<h1 class="${tone}">${text(verdictText)}</h1>
${report.runs
  .flatMap(remarksOn)
  .map((remark) => `<p>${text(remark)}</p>\n`)
  .join("")}${outcomeBar(report.counts)}`;
}

/** The result of each implementation, without any sums over several. */
function comparisonHtml(report: Report, targets: ReadonlyMap<string, Run[]>): string {
  const verdicts = [...targets].map(([name, runs]) => {
    const counts = sum(runs.map((run) => run.counts));
    const ownReport = { ...report, runs, counts, exitCode: exitCode({ ...report, runs }) };
    return `<li><h2 class="${ownReport.exitCode === 0 ? "good" : "bad"}"><span class="soft">${text(name)}</span> ${text(describeConclusion(ownReport))}</h2>${outcomeBar(counts, false)}</li>`;
  });
  return `<h1>${text(describeVerdict(report))}</h1>
<ul class="verdicts">${verdicts.join("\n")}</ul>`;
}

function targetsOf({ runs }: Report): Map<string, Run[]> {
  const targets = new Map<string, Run[]>();
  for (const group of groupsByProtocol(runs)) {
    namesOfGroup(group).forEach((name, index) => {
      targets.set(name, [...(targets.get(name) ?? []), group.runs[index] as Run]);
    });
  }
  return targets;
}

/** The facts that a reader should know before reading any number. */
function noticesHtml(report: Report, rules: readonly Rule[]): string {
  const allNotices: [title: string, what: string][] = [];
  if (!report.complete) {
    const partialRuns = groupsByProtocol(report.runs).flatMap((group) =>
      group.runs.map((run, index) => `${group.name} against ${namesOfGroup(group)[index]}: ${describeFilter(run)}`),
    );
    allNotices.push(["Partial", `Not every vector has its outcome. ${partialRuns.join("; ")}`]);
  }
  for (const group of groupsByProtocol(report.runs)) {
    group.runs.forEach(({ failure }, index) => {
      if (failure !== undefined)
        allNotices.push([
          `${group.name} could not be run against ${namesOfGroup(group)[index]}`,
          `At ${failure.stage}: ${failure.message}`,
        ]);
    });
    if (new Set(group.runs.map(({ set }) => set.digest)).size > 1)
      allNotices.push([
        group.name,
        "The implementations were tested with different vector sets: compare them with care.",
      ]);
  }
  for (const { kind, name, what } of report.baseline?.findings ?? [])
    allNotices.push([`Baseline, ${kind}: ${name}`, what]);
  for (const line of reachLines(report, rules)) allNotices.push(["Drawn at random", line]);
  const items = allNotices.map(
    ([title, what]) =>
      `<li><strong>${text(title)}</strong> <span>${text(what).replaceAll("\\u000a", "<br>")}</span></li>`,
  );
  return items.length === 0 ? "" : `<ul class="notices" aria-label="Before you read on">${items.join("\n")}</ul>`;
}
