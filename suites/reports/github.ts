import type { BaselineFinding, Outcome, Report, Rule, Run } from "../../schemas/index.ts";
import { escapeInvisible } from "../base/text/escape.ts";
import type { Format, RenderOptions } from "./format.ts";
import { explainedOutcomes, groupsOf, indexById, outcomeHeadings, weightOf } from "./groups/group.ts";
import { changeRemarks, remarksOn } from "./groups/remarks.ts";
import { findShortfalls, statusOf } from "./sections/status.ts";
import { countInWords, describeUnit, numberOf } from "./wording/nouns.ts";
import { describeConclusion, describeCounts } from "./wording/phrases.ts";

/** GitHub shows at most ten annotations of each kind per step. */
const maxAnnotations = 10;

interface Annotation {
  title: string;
  /** The place of the assertion in a user's file, or of the entry in the baseline. */
  place?: { file: string; line: number; column: number };
  lines: string[];
}

/** Workflow commands of GitHub Actions: an annotation for each broken rule, up to a limit, and a notice with the result. */
export const github: Format = {
  name: "github",
  extension: "txt",
  render(report, options) {
    const { rules, inRepository = (file) => file } = options;
    const rulesById = indexById(rules);
    const { file = "", findings = [] } = report.baseline ?? {};
    const baselineFile = file === "" ? undefined : inRepository(file);
    // An entry is annotated at its own line.
    const placeFinding = (finding: BaselineFinding | undefined): Pick<Annotation, "place"> => {
      if (baselineFile === undefined || finding === undefined) return {};
      const line = options.entryLine?.({ id: finding.name, rule: finding.name, site: finding.name });
      return { place: { file: baselineFile, line: line ?? 1, column: 1 } };
    };
    const shortfalls = findShortfalls(report).map(({ name, message, finding }) => ({
      isAboutBaseline: finding !== undefined,
      annotation: { title: name, ...placeFinding(finding), lines: message.split("\n") },
    }));
    // Order: reasons for an incomplete result, new failures, faults of the baseline.
    const errors = [
      ...shortfalls.flatMap(({ isAboutBaseline, annotation }) => (isAboutBaseline ? [] : annotation)),
      ...report.runs.flatMap((run) => annotateGroups(report, run, rulesById, { ...options, failing: true })),
      ...shortfalls.flatMap(({ isAboutBaseline, annotation }) => (isAboutBaseline ? annotation : [])),
    ];
    const warnings = [
      ...report.runs.flatMap((run) => [
        ...annotateChangedFiles(run, inRepository),
        ...annotateGroups(report, run, rulesById, { ...options, failing: false }),
      ]),
      ...findings
        .filter(({ kind }) => kind === "expiring" || kind === "unexercised" || kind === "removed")
        .map((finding) => ({
          title: `baseline ${finding.name}`,
          ...placeFinding(finding),
          lines: [`${finding.kind}: ${finding.what}`],
        })),
    ];
    const counts = report.runs.flatMap((run) => [
      `${run.protocol} ${run.version}: ${describeCounts(run.counts, describeUnit(run))}`,
      ...remarksOn(run),
    ]);
    return `${[
      ...limitAnnotations("error", errors),
      ...limitAnnotations("warning", warnings),
      formatCommand("notice", { title: "Touchstone", lines: [describeConclusion(report), ...counts] }),
    ].join("\n")}\n`;
  },
};

/** An annotation for each file that has changed since the vectors were made. */
function annotateChangedFiles(run: Run, inRepository: (file: string) => string | undefined): Annotation[] {
  return (run.set.changed?.files ?? []).map((name): Annotation => {
    const file = inRepository(name);
    return {
      title: `${run.protocol} ${run.version}`,
      ...(file === undefined ? {} : { place: { file, line: 1, column: 1 } }),
      lines: changeRemarks(run),
    };
  });
}

/** An annotation for each group of results: either results that fail the run, or results that only deserve attention. */
function annotateGroups(
  report: Report,
  run: Run,
  rules: ReadonlyMap<string, Rule>,
  { failing, sourceOf, describedAt, inRepository = (file) => file }: RenderOptions & { failing: boolean },
): Annotation[] {
  const { errored, "timed-out": lateCount, violates } = run.counts;
  // If more answers are missing than wrong, the missing ones come first: they say more about the target.
  const seriousOutcomes: readonly Outcome[] = errored + lateCount > violates ? ["errored", "timed-out"] : [];
  const outcomes = explainedOutcomes
    .filter((outcome) => outcome !== "disputed" && run.counts[outcome] > 0)
    .sort((first, second) => Number(seriousOutcomes.includes(second)) - Number(seriousOutcomes.includes(first)));
  return outcomes.flatMap((outcome) =>
    groupsOf(run, outcome, rules).flatMap((group): Annotation[] => {
      const { name, rule, site, results, of, kinds } = group;
      const resultsOfLevel = results.filter((result) => {
        const status = statusOf(result, report);
        return failing ? status === "failed" || status === "errored" : status === "noted";
      });
      const [firstResult] = resultsOfLevel;
      if (firstResult === undefined) return [];
      const source = (site === undefined ? undefined : sourceOf?.(site)) ?? describedAt?.(firstResult);
      const file = source === undefined ? undefined : inRepository(source.file);
      return [
        {
          title: `${run.protocol} ${run.version} ${name}`,
          ...(source === undefined || file === undefined ? {} : { place: { ...source, file } }),
          lines: [
            `${outcomeHeadings[outcome]}: ${numberOf(resultsOfLevel)} of ${countInWords(of, kinds)}`,
            ...(rule === undefined ? [] : [`${weightOf({ ...group, results: resultsOfLevel })} ${rule.statement}`]),
            firstResult.description,
            ...`${firstResult.id}: ${firstResult.why ?? firstResult.description}`.split("\n"),
          ],
        },
      ];
    }),
  );
}

function limitAnnotations(severity: string, annotations: readonly Annotation[]): string[] {
  if (annotations.length <= maxAnnotations) return annotations.map((annotation) => formatCommand(severity, annotation));
  const hiddenNotice = {
    title: "Touchstone",
    lines: [`and ${annotations.length - maxAnnotations + 1} more, see the report`],
  };
  return [...annotations.slice(0, maxAnnotations - 1), hiddenNotice].map((annotation) =>
    formatCommand(severity, annotation),
  );
}

function formatCommand(severity: string, { title, place, lines }: Annotation): string {
  const placeProperties =
    place === undefined ? [] : [`file=${escapeProperty(place.file)},line=${place.line},col=${place.column}`];
  const message = lines.map((line) => escapeInvisible(line).replace(/%/g, percentEncode)).join("%0A");
  return `::${severity} ${[...placeProperties, `title=${escapeProperty(title)}`].join(",")}::${message}`;
}

function escapeProperty(text: string): string {
  return escapeInvisible(text).replace(/[%:,]/g, percentEncode);
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
