import picocolors from "picocolors";
import type { BaselineFindingKind, Report, Rule, Run } from "../../schemas/index.ts";
import { escapeInvisible } from "../base/text/escape.ts";
import { failsRun } from "../results/exit.ts";
import type { Format, RenderOptions } from "./format.ts";
import { chooseGroups, type OutcomeGroup } from "./groups/explained-groups.ts";
import { disputedNote, indexById } from "./groups/group.ts";
import { withLatestRuns } from "./groups/implementations.ts";
import { remarksOn } from "./groups/remarks.ts";
import { sharedCommand } from "./groups/shared-command.ts";
import { briefLine, briefLines } from "./sections/brief.ts";
import { fullRunLines, groupLines, usualExamples } from "./sections/details.ts";
import { describeOthers } from "./sections/other-demands.ts";
import { reachLines } from "./sections/reach.ts";
import { skippedLines } from "./sections/skips.ts";
import { slowestLines } from "./sections/slowest-scenarios.ts";
import { describeUnit, moreOf } from "./wording/nouns.ts";
import type { Paint } from "./wording/paint.ts";
import { countNoun, describeConclusion, describeCounts, describeTarget, formatMoment } from "./wording/phrases.ts";

/** The maximum number of rules that are explained without `verbose`. */
const maxRules = 10;
/** The maximum number of findings about the baseline that are listed without `verbose`. */
const maxFindings = 10;

/** Renders text for terminals and logs: the result, a line for each protocol, the first failing rules, and where to find the rest. */
export const terminal: Format = {
  name: "terminal",
  extension: "txt",
  render(report, options) {
    const { rules, colour = false, brief = false, verbose = false } = options;
    const paint = picocolors.createColors(colour);
    const rulesById = indexById(rules);
    const latestReport = withLatestRuns(report);
    const conclusion = `${latestReport === report ? "" : "The last run: "}${describeConclusion(latestReport)}`;
    const head = [
      paint.bold(latestReport.exitCode === 0 ? paint.green(conclusion) : paint.red(conclusion)),
      ...report.runs.flatMap((run) => runLines(report, run, paint)),
      ...(brief ? briefLines(report, rulesById, { most: maxRules, paint, sourceOf: options.sourceOf }) : []),
      ...disputedNote(report.runs).map(escapeInvisible),
      ...reachLines(report, rules, !verbose).map(escapeInvisible),
      ...(verbose ? slowestLines(report.runs) : []).map(escapeInvisible),
      ...baselineLines(report, verbose).map(escapeInvisible),
    ];
    const details = brief
      ? []
      : verbose
        ? report.runs.flatMap((run) =>
            underHeading(report, run, fullRunLines(report, run, rulesById, { ...options, paint }), paint),
          )
        : formatFirstRules(report, rulesById, paint, options);
    return `${[...head, ...(details.length === 0 ? [] : ["", ...details])].join("\n").trimEnd()}\n`;
  },
};

/** Formats the result of one protocol, and the reason why a part of it was not tested. */
function runLines(report: Report, run: Run, { red }: Paint): string[] {
  const { failure } = run;
  const [failureText, ...hints] = (failure?.message ?? "").split("\n");
  return [
    escapeInvisible(`${headingOfRun(report, run)}: ${describeCounts(run.counts, describeUnit(run))}`),
    ...(failure === undefined
      ? []
      : [
          red(`  failed at ${escapeInvisible(`${failure.stage}: ${failureText}`)}`),
          ...hints.map((hint) => red(`    ${escapeInvisible(hint.trim())}`)),
        ]),
    ...remarksOn(run).map(escapeInvisible),
  ];
}

/** Formats the first rules of each protocol with examples, the skipped vectors, and where to find the rest. */
function formatFirstRules(
  report: Report,
  rules: ReadonlyMap<string, Rule>,
  paint: Paint,
  options: RenderOptions,
): string[] {
  const { examples = usualExamples } = options;
  const { shown, all: allGroups } = chooseGroups(report, rules, maxRules, { isTogether: true });
  const lines = report.runs.flatMap((run) => {
    const groupsOfRun = shown.filter((outcomeGroup) => outcomeGroup.run === run);
    const failureLines = groupsOfRun.flatMap((outcomeGroup) => [
      ...groupLines(report, outcomeGroup, { examples, paint, sourceOf: options.sourceOf }),
      ...sameCauseLines(outcomeGroup, paint, options.sourceOf),
    ]);
    return underHeading(report, run, failureLines, paint);
  });
  return [
    ...lines,
    ...skippedLines(report.runs, rules),
    ...restLines(report, { shown, all: allGroups, examples }, options),
  ];
}

/** Formats a line for each other assertion that probably fails because of the same mistake. */
function sameCauseLines({ sameCause = [] }: OutcomeGroup, paint: Paint, sourceOf: RenderOptions["sourceOf"]): string[] {
  if (sameCause.length === 0) return [];
  return [
    `The same at ${describeOthers(sameCause, [])}:`,
    ...sameCause.map((outcomeGroup) => briefLine(outcomeGroup, paint, sourceOf)),
    "",
  ];
}

/** Puts lines under the name of their protocol if there are several runs. */
function underHeading(report: Report, run: Run, lines: readonly string[], { bold }: Paint): string[] {
  if (report.runs.length === 1 || lines.length === 0) return [...lines];
  return [bold(escapeInvisible(headingOfRun(report, run))), "", ...lines];
}

/** Formats the protocol and target of a run, and also the start time if other runs share them. */
function headingOfRun({ runs }: Report, run: Run): string {
  const nameOf = (otherRun: Run): string =>
    `${otherRun.protocol} ${otherRun.version} against ${describeTarget(otherRun)}`;
  const isShared = runs.some((each) => each !== run && nameOf(each) === nameOf(run));
  return `${nameOf(run)}${isShared && run.started !== undefined ? `, ${formatMoment(run.started)}` : ""}`;
}

interface ShownSections {
  shown: readonly OutcomeGroup[];
  all: readonly OutcomeGroup[];
  examples: number;
}

/** Counts the parts that are not shown here, and says where to find them. */
function restLines(
  report: Report,
  { shown, all, examples }: ShownSections,
  { written = [], again: givenCommand }: RenderOptions,
): string[] {
  const similarElsewhere = shown.flatMap(({ sameCause: similarGroups = [] }) => similarGroups);
  const rules = all.length - shown.length - similarElsewhere.length;
  const results = all.reduce((sum, { group }) => sum + group.results.length, 0);
  const shownExamples = shown.reduce(
    (sum, { group }) => sum + Math.min(examples, group.results.length),
    similarElsewhere.length,
  );
  if (results === shownExamples) return [];
  const moreParts = [
    ...(rules > 0 ? [describeOthers(all, [...shown, ...similarElsewhere])] : []),
    moreOf(
      all.flatMap(({ group }) => group.results),
      results - shownExamples,
    ),
  ].join(", ");
  // If only one rule has more results, their number is shown under that rule.
  const isNumberShown =
    rules === 0 &&
    similarElsewhere.every(({ group }) => group.results.length === 1) &&
    shown.filter(({ group }) => group.results.length > examples).length === 1;
  const subject = isNumberShown ? "All of them" : `And ${moreParts}`;
  const [file] = written;
  const command = givenCommand ?? (report.command === "" ? undefined : sharedCommand(report));
  const places = [
    ...(file === undefined ? [] : [file]),
    ...(command === undefined
      ? ["--verbose shows all"]
      : [`${command} --verbose${file === undefined ? ", or --report html=report.html for a page" : ""}`]),
  ];
  return [escapeInvisible(`${subject}: ${places.join(file === undefined ? " " : ", or ")}`)];
}

/** The titles of kinds of findings, if they differ from the kind. */
const findingTitles: Partial<Record<BaselineFindingKind, string>> = {
  set: "other vectors",
  unrecorded: "no record",
  coverage: "coverage lost",
  unexercised: "not exercised",
  expiring: "expires soon",
};

/** Formats the findings about the list of known failures, and the command that updates it. */
function baselineLines({ baseline, runs, failOn }: Report, isWhole: boolean): string[] {
  if (baseline === undefined) return [];
  const { file, known, findings, repair } = baseline;
  const results = runs.flatMap((run) => run.results);
  const flakyCount = results.filter((result) => result.known === "flaky").length;
  const newResults = results.filter((result) => result.known === undefined && failsRun(result, failOn));
  // A fault of a server that stores messages may appear in a different vector each time, so that listed vectors of the rule pass.
  const staleIds = new Set(findings.flatMap(({ kind, name }) => (kind === "stale" ? name : [])));
  const passingRules = new Set(
    results.flatMap(({ id, outcome, rule }) => (outcome === "conforms" && staleIds.has(id) ? rule : [])),
  );
  const brokenAgain = newResults.find(
    ({ rule, outcome }) => outcome === "violates" && rule !== undefined && passingRules.has(rule),
  );
  const shownFindings = isWhole ? findings : findings.slice(0, maxFindings);
  const hiddenCount = findings.length - shownFindings.length;
  // Vectors of expired entries, or of entries for a different failure, may still fail.
  const isObsolete =
    known === 0 &&
    findings.length > 0 &&
    findings.every(({ kind }) => /^(stale|unknown|removed|unrecorded|set)$/.test(kind));
  return [
    `${file}: ${isObsolete ? "none of the listed failures occurs" : countNoun(known, "known failure")}${flakyCount === 0 ? "" : `, ${flakyCount} of them flaky`}`,
    ...shownFindings.map(({ kind, name, what }) => `  ${findingTitles[kind] ?? kind}: ${name}: ${what}`),
    ...(hiddenCount > 0
      ? [`  and ${countNoun(hiddenCount, "more entry", "more entries")} to look at; --verbose names all`]
      : []),
    ...(repair !== undefined && findings.some(({ kind }) => !/^(expiring|unexercised)$/.test(kind))
      ? ["To make the list fit:", `  ${repair}`]
      : []),
    ...(repair !== undefined && newResults.some(({ outcome }) => !/^(errored|timed-out)$/.test(outcome))
      ? ["To accept the new failures for now:", `  ${repair} --reason "…"`]
      : []),
    ...(brokenAgain === undefined
      ? []
      : [
          "Other vectors of this rule are listed, and pass now. If the fault shows in another vector each time, list the rule:",
          `  { "rule": "${brokenAgain.rule}", "outcome": "${brokenAgain.outcome}", "flaky": true, "reason": "…" }`,
        ]),
  ];
}
